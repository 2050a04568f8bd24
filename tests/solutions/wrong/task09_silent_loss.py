"""Task 9: there is no message when the user has lost."""

import random
from itertools import combinations

start_box = frozenset(range(1, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


def play_game_user(box=start_box, read=input, write=print):
    if not box:
        write("All levers are down. You win!")
        return "win"
    roll = dice_roll()
    write(f"Box {sorted(box)}, roll {roll}")
    moves = possible_moves(box, roll)
    if not moves:
        return "loss"
    return play_game_user(choose(moves, read, write), read, write)


def choose(moves, read, write):
    if len(moves) == 1:
        return moves[0]
    for number, move in enumerate(moves, 1):
        write(f"{number}: {sorted(move)}")
    while True:
        answer = read("Which one? ")
        if answer.isdecimal() and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]
        write("That is not one of the numbers.")
