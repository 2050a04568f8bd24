"""The workshop's Clojure, line by line: keywords as strings, `reduce`, and nothing that changes."""

from functools import reduce
from itertools import repeat, starmap
from random import choice, randrange


def repeatedly(n, f):
    return (f() for _ in repeat(None, n))


def assoc(table, key, value):
    return {**table, key: value}


def update(table, key, f, default):
    return assoc(table, key, f(table.get(key, default)))


# Tasks 1 to 7


def flip_coin():
    return choice([":heads", ":tails"])


def is_heads(flip):
    return flip == ":heads"


def throw_dart():
    return [random.random() * 2 - 1, random.random() * 2 - 1]


WIN, LOSS = ":win", ":loss"
won_game = [[7, [7]], [8, [8]], [9, [9]], [6, [6]], [5, [5]], [10, [1, 2, 3, 4]]]
lost_game = [[7, [7]], [7, [1, 6]], [7, [2, 5]], [7, [3, 4]], [7, []]]


def dice_roll():
    return sum(repeatedly(2, lambda: randrange(1, 7)))


def play_simple_game(box):
    if is_win(box):
        return ":win"
    moves = simple_moves(box, dice_roll())
    return play_simple_game(next(iter(moves))) if moves else ":loss"


def tally(record, result):
    return update(record, result, lambda n: n + 1, 0)


def record_of(n, game):
    return reduce(tally, repeatedly(n, game), {":win": 0, ":loss": 0})


def probability(record):
    return record[":win"] / (record[":win"] + record[":loss"])


def simulate_simple_game(n, box=simple_start):
    return probability(record_of(n, lambda: play_simple_game(box)))


# Tasks 8 to 11


def power(s):
    return reduce(lambda p, f: p + [[f, *others] for others in p], s, [[]])


lever_combinations = list(map(levers_for_roll, range(13)))


def possible_moves(box, roll):
    return {box.difference(levers) for levers in lever_combinations[roll] if box >= set(levers)}


def play_game(box):
    if is_win(box):
        return ":win"
    moves = possible_moves(box, dice_roll())
    return play_game(choice(list(moves))) if moves else ":loss"


def simulate(n, box=start_box):
    return probability(record_of(n, lambda: play_game(box)))


def choose(moves, read, write):
    numbered = dict(enumerate(moves, 1))
    if len(moves) == 1:
        return numbered[1]
    write("\n".join(f"{number} {sorted(move)}" for number, move in numbered.items()))
    answer = read("Choose one: ")
    chosen = [move for number, move in numbered.items() if str(number) == answer]
    return chosen[0] if chosen else choose(moves, read, write)


def play_game_user(box=start_box, read=input, write=print):
    if is_win(box):
        return ":win"
    roll = dice_roll()
    write(f"Box {sorted(box)} roll {roll}")
    moves = possible_moves(box, roll)
    return play_game_user(choose(moves, read, write), read, write) if moves else ":loss"


def look_up_table(n):
    return {box: record_of(n, lambda box=box: play_game(box)) for box in all_boxes}


NO_GAMES = {":win": 0, ":loss": 0}


def ucb(record):
    w, l = record[":win"], record[":loss"]
    n = w + l
    if n == 0:
        return inf
    if w == 0:
        return 3 / n
    return 1 / n * (w + 2 * sqrt(w * l / n))


def uct(tree, box):
    if box not in tree or is_win(box):
        return back_propagate([tree, play_game(box)], box)
    moves = possible_moves(box, dice_roll())
    if not moves:
        return back_propagate([tree, ":loss"], box)
    child = max(moves, key=lambda move: ucb(tree.get(move, NO_GAMES)))
    return back_propagate(uct(tree, child), box)


def back_propagate(dive, box):
    tree, result = dive
    return [update(tree, box, lambda record: tally(record, result), NO_GAMES), result]


# Tasks 12 and 13

dice = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def build_tree(tree, node):
    box, roll = node
    if node in tree:
        return tree
    if is_win(box):
        return assoc(tree, node, 1)
    if roll is None:
        full = reduce(build_tree, ((box, r) for r in dice), tree)
        return assoc(full, node, sum(starmap(lambda r, n: full[box, r] * n, dice.items())) / 36)
    moves = [(move, None) for move in possible_moves(box, roll)]
    full = reduce(build_tree, moves, tree)
    return assoc(full, node, reduce(max, (full[move] for move in moves), 0))


optimal_tree = reduce(build_tree, ((box, None) for box in all_boxes), {})


def win_probability(box, roll=None):
    return optimal_tree[box, roll]
