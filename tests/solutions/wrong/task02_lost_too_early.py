"""Task 2: the lost game stops where every roll still has a move."""

won_game = [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (10, {1, 2, 7})]
lost_game = [(6, {6})]
