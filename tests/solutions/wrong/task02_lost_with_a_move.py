"""Task 2: the lost game ends although 2 and 4 add up to the last roll."""

won_game = [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (10, {1, 2, 7})]
lost_game = [(6, {6}), (6, {1, 5}), (6, set())]
