"""Loops without recursion, results as True and False, records as tuples (wins, losses)."""

import random
from math import inf, sqrt

HEADS, TAILS = True, False


def flip_coin():
    return random.random() < 0.5


def is_heads(flip):
    return flip


def throw_dart():
    return random.uniform(-1, 1), random.uniform(-1, 1)


def in_circle(dart):
    return dart[0] * dart[0] + dart[1] * dart[1] < 1


def estimate_pi(n):
    hits = 0
    for _ in range(n):
        if in_circle(throw_dart()):
            hits += 1
    return 4 * hits / n


won_game = [(12, [3, 9]), (12, [4, 8]), (11, [5, 6]), (10, [1, 2, 7])]
lost_game = [(6, [6]), (6, [1, 5]), (6, [2, 4])]

start_box = frozenset([1, 2, 3, 4, 5, 6, 7, 8, 9])
sample_box = frozenset([2, 4, 5, 7, 8, 9])
simple_start = frozenset([2, 3, 4, 5, 6, 7, 8, 9])
number_of_states = 5632


def dice_roll():
    total = 0
    for _ in range(2):
        total += random.randrange(6) + 1
    return total


def simple_moves(box, roll):
    moves = []
    if roll in box:
        moves.append(box - {roll})
    return moves


def play_simple_game(box):
    while box:
        moves = simple_moves(box, dice_roll())
        if not moves:
            return False
        box = moves[0]
    return True


def simulate_simple_game(n, box=simple_start):
    wins = 0
    for _ in range(n):
        wins += play_simple_game(box)
    return wins / n


def power(items):
    subsets = [[]]
    for item in items:
        for subset in subsets[:]:
            subsets.append([*subset, item])
    return subsets


def levers_for_roll(roll):
    choices = []
    for levers in power(range(1, 10)):
        if sum(levers) == roll:
            choices.append(levers)
    return choices


lever_combinations = []
for total in range(13):
    lever_combinations.append(levers_for_roll(total))


def possible_moves(box, roll):
    moves = []
    for levers in lever_combinations[roll]:
        if box.issuperset(levers):
            moves.append(box.difference(levers))
    return moves


def is_win(box):
    return len(box) == 0


def play_game(box):
    while not is_win(box):
        moves = possible_moves(box, dice_roll())
        if len(moves) == 0:
            return False
        box = random.choice(moves)
    return True


def simulate(n, box=start_box):
    wins = 0
    for _ in range(n):
        wins += play_game(box)
    return wins / n


def play_game_user(box=start_box, read=input, write=print):
    while not is_win(box):
        roll = dice_roll()
        write(f"Box: {box_to_str(box)}, roll: {roll}")
        moves = possible_moves(box, roll)
        if not moves:
            write("You have lost.")
            return False
        answer = "1"
        if len(moves) > 1:
            for number, move in enumerate(moves, 1):
                write(f"{number}) {box_to_str(move)}")
            answer = read("Your choice? ")
            while not answer.isdecimal() or not 1 <= int(answer) <= len(moves):
                answer = read("No such choice. Your choice? ")
        box = moves[int(answer) - 1]
    write("You have won.")
    return True


all_boxes = [frozenset(levers) for levers in power(range(1, 10))]


def look_up_table(n):
    table = {}
    for box in all_boxes:
        table[box] = simulate(n, box)
    return table


def ucb(record):
    wins, losses = record
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return (wins + 2 * sqrt(wins * losses / n)) / n


def uct(tree, box):
    path = [box]
    result = None
    while box in tree and not is_win(box) and result is None:
        moves = possible_moves(box, dice_roll())
        if moves:
            box = max(moves, key=lambda move: ucb(tree.get(move, (0, 0))))
            path.append(box)
        else:
            result = False
    if result is None:
        result = play_game(box)
    tree = dict(tree)
    for visited in path:
        wins, losses = tree.get(visited, (0, 0))
        tree[visited] = (wins + result, losses + (not result))
    return tree, result


def build_tree(tree, node):
    tree, todo = dict(tree), [node]
    while todo:
        box, roll = node = todo[-1]
        if roll is None:
            children = [(box, total) for total in range(2, 13)]
        else:
            children = [(move, None) for move in possible_moves(box, roll)]
        missing = [child for child in children if child not in tree]
        if is_win(box):
            tree[node] = 1.0
        elif missing:
            todo.extend(missing)
            continue
        elif roll is None:
            tree[node] = sum(tree[box, a + b] for a in range(1, 7) for b in range(1, 7)) / 36
        else:
            tree[node] = max([tree[child] for child in children], default=0.0)
        todo.pop()
    return tree


def win_probability(box, roll=None):
    return build_tree({}, (box, roll))[box, roll]


def optimal_table():
    table = {}
    for box in all_boxes:
        table = build_tree(table, (box, None))
    return {box: table[box, None] for box in all_boxes}


values = optimal_table()


def best_move(box, roll):
    best = None
    for move in possible_moves(box, roll):
        if best is None or values[move] > values[best]:
            best = move
    return best


def best_move_table():
    table = {}
    for box in all_boxes:
        for roll in range(2, 13):
            table[box, roll] = best_move(box, roll)
    return table


def box_to_str(box):
    text = ""
    for lever in range(1, 10):
        text += str(lever) if lever in box else " "
    return text


def best_move_table_string():
    text = ""
    for box in all_boxes:
        text += box_to_str(box)
        for roll in range(2, 13):
            move = best_move(box, roll)
            text += "\t" + ("x" if move is None else box_to_str(move))
        text += "\n"
    return text
