"""Generators for flips, turns, games, moves and trees; results as 1 and 0, so that wins add up."""

from fractions import Fraction
from itertools import chain, combinations, count, islice, product, repeat
from math import inf, sqrt
from random import Random


def always(function, *arguments):
    while True:
        yield function(*arguments)


def flip_coin(rng=Random()):
    return "heads" if rng.random() < 0.5 else "tails"


def is_heads(flip):
    return flip == "heads"


def throw_dart(rng=Random()):
    return rng.uniform(-1, 1), rng.uniform(-1, 1)


def in_circle(dart):
    return sum(c * c for c in dart) < 1


def estimate_pi(n, rng=Random()):
    return 4 * sum(map(in_circle, islice(always(throw_dart, rng), n))) / n


start_box = frozenset(range(1, 10))
sample_box = start_box - {1, 3, 6}
simple_start = start_box - {1}
won_game = [(sum(levers), levers) for levers in ((1, 9), (2, 8), (3, 7), (4, 6), (5,))]
lost_game = list(zip(repeat(3), [(3,), (1, 2), ()], strict=False))


def number_of_states():
    return sum(1 for _ in product(all_boxes, range(2, 13)))


def dice_roll(rng=Random()):
    return sum(islice(always(rng.randint, 1, 6), 2))


def simple_moves(box, roll):
    return {box - {lever} for lever in box if lever == roll}


def rounds(box, moves_from, choose, rng):
    """The boxes of a game, from `box` to the one where it ends."""
    while True:
        yield box
        moves = list(moves_from(box, dice_roll(rng))) if box else []
        if not moves:
            return
        box = choose(moves)


def last(items):
    for item in items:
        final = item
    return final


def play_simple_game(box, rng=Random()):
    return int(not last(rounds(box, simple_moves, rng.choice, rng)))


def simulate_simple_game(n, box=simple_start, rng=Random()):
    return sum(islice(always(play_simple_game, box, rng), n)) / n


def power(items):
    items = list(items)
    return list(chain.from_iterable(combinations(items, k) for k in range(len(items) + 1)))


def levers_for_roll(roll):
    return [set(levers) for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = list(map(levers_for_roll, range(13)))


def possible_moves(box, roll):
    return [box - levers for levers in lever_combinations[roll] if levers <= box]


def is_win(box):
    return not any(lever in box for lever in range(1, 10))


def play_game(box, rng=Random()):
    return int(is_win(last(rounds(box, possible_moves, rng.choice, rng))))


def simulate(n, box=start_box, rng=Random()):
    return sum(islice(always(play_game, box, rng), n)) / n


def play_game_user(box=start_box, rng=Random(), read=input, write=print):
    def shown(box, roll):
        moves = possible_moves(box, roll)
        write(f"{box_to_str(box)} with a roll of {roll}")
        if not moves:
            write("You have lost.")
        return moves

    def chosen(moves):
        if len(moves) == 1:
            return moves[0]
        for i, move in zip(count(1), moves, strict=False):
            write(f"{i}. {box_to_str(move)}")
        numbers = [str(i + 1) for i in range(len(moves))]
        answer = next(answer for answer in always(read, "Which one? ") if answer in numbers)
        return moves[numbers.index(answer)]

    return int(is_win(last(rounds(box, shown, chosen, rng))))


all_boxes = list(map(frozenset, power(start_box)))


def look_up_table(n, rng=Random()):
    return {box: simulate(n, box, rng) for box in all_boxes}


def ucb(record):
    wins, losses = record["wins"], record["losses"]
    n = wins + losses
    if not n:
        return inf
    return (wins + 2 * sqrt(wins * losses / n)) / n if wins else 3 / n


def rating(tree, box):
    return ucb(tree.get(box, {"wins": 0, "losses": 0}))


def uct(tree, box, rng=Random()):
    def best(moves):
        return max(moves, key=lambda move: rating(tree, move))

    def inside(box, roll):
        return possible_moves(box, roll) if box in tree else []

    path = list(rounds(box, inside, best, rng))
    end = path[-1]
    result = play_game(end, rng) if end not in tree else int(is_win(end))
    grown = dict(tree)
    for box in path:
        record = tree.get(box, {"wins": 0, "losses": 0})
        grown[box] = {"wins": record["wins"] + result, "losses": record["losses"] + 1 - result}
    return grown, result


def trees(tree, box, rng=Random()):
    while True:
        yield tree
        tree, _ = uct(tree, box, rng)


def search(tree, box, dives, rng=Random()):
    return next(islice(trees(tree, box, rng), dives, None))


def monte_carlo_tree_search(box, dives, rng=Random()):
    return search({}, box, dives, rng)[box]


def nodes(tree, node):
    """The nodes that `node` depends on and that `tree` does not have, each after its children."""
    box, roll = node
    if node not in tree:
        if roll is None and box:
            for total in range(2, 13):
                yield from nodes(tree, (box, total))
        elif box:
            for move in possible_moves(box, roll):
                yield from nodes(tree, (move, None))
        yield node


def value(tree, node):
    box, roll = node
    if not box:
        return Fraction(1)
    if roll is None:
        throws = product(range(1, 7), repeat=2)
        return sum(tree[box, a + b] for a, b in throws) / Fraction(36)
    return max((tree[move, None] for move in possible_moves(box, roll)), default=Fraction(0))


def build_tree(tree, node):
    grown = dict(tree)
    for needed in nodes(grown, node):
        grown[needed] = value(grown, needed)
    return grown


solved = {}
for each in all_boxes:
    solved = build_tree(solved, (each, None))


def win_probability(box, roll=None):
    return solved[box, roll]


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}


def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return {state: best_move(*state) for state in product(all_boxes, range(2, 13))}


def box_to_str(box):
    return "x" if box is None else "".join(str(i) if i in box else " " for i in range(1, 10))


def best_move_table_string():
    def cells(box):
        yield box_to_str(box)
        for roll in range(2, 13):
            yield box_to_str(best_move(box, roll))

    return "\n".join("\t".join(cells(box)) for box in all_boxes)
