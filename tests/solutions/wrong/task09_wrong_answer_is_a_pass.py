"""Task 9: after a wrong answer the dice are thrown again for the same box."""

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


def play_game_user(box=start_box):
    while box:
        roll = dice_roll()
        print("Box", sorted(box), "roll", roll)
        moves = possible_moves(box, roll)
        if not moves:
            print("You lose.")
            return "loss"
        number = 1
        if len(moves) > 1:
            for i, move in enumerate(moves, 1):
                print(i, sorted(move))
            number = 0
        if not 1 <= number <= len(moves):
            answer = input("Your choice: ")
            number = int(answer) if answer.isdecimal() else 0
        if 1 <= number <= len(moves):
            box = moves[number - 1]
    print("You win.")
    return "win"
