"""The types of purembts, `Record`, `WIN` and `LOSS`; trees are persistent maps, and never dicts."""

from fractions import Fraction
from itertools import compress
from itertools import product as pairs

from pyrsistent import pmap, pvector

from purembts import LOSS, NOTHING, WIN, Record, mean
from purembts.chance import pick, repeatedly

ROLLS = range(2, 13)
won_game = pvector([(12, {3, 9}), (12, {4, 8}), (12, {5, 7}), (9, {1, 2, 6})])
lost_game = pvector([(2, {2}), (2, None)])


def estimate_pi(n, rng=random):
    hits = sum(map(in_circle, repeatedly(n, throw_dart)))
    return 4 * mean(Record(n, (hits, n - hits)))


def number_of_states():
    return len(all_boxes) * len(ROLLS)


def dice_roll(rng=random):
    return pick(tuple(a + b for a, b in THROWS), rng)


def simple_moves(box, roll):
    if roll in box:
        yield box - {roll}


def game_with(moves_from):
    def play(box, rng=random):
        if is_win(box):
            return WIN
        moves = tuple(moves_from(box, dice_roll(rng)))
        return play(pick(moves, rng), rng) if moves else LOSS

    return play


play_simple_game = game_with(simple_moves)


def total(results):
    return sum((Record(1, result) for result in results), NOTHING)


def simulate_simple_game(n, box=simple_start, rng=random):
    return total(repeatedly(n, lambda: play_simple_game(box, rng)))


def power(items):
    items = tuple(items)
    masks = pairs((False, True), repeat=len(items))
    return tuple(tuple(compress(items, mask)) for mask in masks)


lever_combinations = pvector(map(frozenset, map(levers_for_roll, range(13))))


def possible_moves(box, roll):
    for levers in lever_combinations[roll]:
        if box.issuperset(levers):
            yield box.difference(levers)


play_game = game_with(possible_moves)


def simulate(n, box=start_box, rng=random):
    return total(repeatedly(n, lambda: play_game(box, rng)))


def look_up_table(n, rng=random):
    return pmap({box: simulate(n, box, rng) for box in all_boxes})


def ucb(record):
    if not record.visits:
        return inf
    wins, losses = record.scores
    if not wins:
        return 3 / record.visits
    return mean(record) + 2 * sqrt(wins * losses / record.visits) / record.visits


def uct(tree, box, rng=random):
    if is_win(box) or box not in tree:
        result = play_game(box, rng)
    elif moves := tuple(possible_moves(box, dice_roll(rng))):
        child = max(moves, key=lambda move: ucb(tree.get(move, NOTHING)))
        tree, result = uct(tree, child, rng)
    else:
        result = LOSS
    return tree.set(box, tree.get(box, NOTHING) + Record(1, result)), result


def play_game_user(box=start_box):
    while not is_win(box):
        roll, moves = dice_roll(), []
        print("Box", *sorted(box), "roll", roll)
        for number, move in enumerate(possible_moves(box, roll), 1):
            moves.append(move)
            print(number, *move)
        if not moves:
            return LOSS
        box = dict(enumerate(moves, 1))[int(input()) if len(moves) > 1 else 1]
    return WIN


def monte_carlo_tree_search(box, dives):
    return search(pmap(), box, dives)[box]


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    value = Fraction(is_win(box))
    if roll is None and box:
        for throw in (a + b for a, b in THROWS):
            tree = build_tree(tree, (box, throw))
            value += tree[box, throw] / 36
    for move in possible_moves(box, roll) if roll else ():
        tree = build_tree(tree, (move, None))
        value = max(value, tree[move, None])
    return tree.set(node, value)


solution = pmap()
for each in all_boxes:
    solution = build_tree(solution, (each, None))


def win_probability(box, roll=None):
    return solution[box, roll]


def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return pmap({(box, roll): best_move(box, roll) for box, roll in pairs(all_boxes, ROLLS)})
