"""Task 2: the won game shuts lever 3 in two turns."""

won_game = [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (10, {1, 2, 7}), (3, {3})]
lost_game = [(6, {6}), (6, {1, 5}), (6, {2, 4}), (6, set())]
