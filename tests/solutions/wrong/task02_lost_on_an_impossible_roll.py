"""Task 2: the lost game ends with a roll of 13."""

won_game = [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (10, {1, 2, 7})]
lost_game = [(9, {9}), (8, {8}), (13, set())]
