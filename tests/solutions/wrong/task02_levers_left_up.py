"""Task 2: the won game ends with lever 1 up."""

won_game = [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (9, {2, 7})]
lost_game = [(6, {6}), (6, {1, 5}), (6, {2, 4}), (6, set())]
