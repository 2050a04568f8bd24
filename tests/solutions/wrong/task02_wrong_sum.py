"""Task 2: 3 and 9 do not add up to the roll of 11 in the won game."""

won_game = [(11, [3, 9]), (12, [4, 8]), (11, [5, 6]), (10, [1, 2, 7])]
lost_game = [(6, [6]), (6, [1, 5]), (6, [2, 4]), (6, [])]
