"""Mistakes, explained: the sentence that says which argument is wrong, or which rule of a game.

The plain functions have no checks. `explained` stands above the outermost words alone. It looks
once, before a word begins, at what does not fail by itself: numbers, the type of the game, its
first position and, for a new tree, the result of one random game. After a failure, and only then,
it looks for the mistake: in the arguments, and in the rules at the positions where the failure
happened. The first error is the cause of the sentence. `purembts.verify` searches for values that
are wrong and raise nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import unwrap
from itertools import islice, product
from math import inf
from random import Random
from traceback import walk_tb
from typing import Any, TypeAlias, TypeVar, cast

from purembts.bounds import AnyBound
from purembts.checks import (
    MISTAKES,
    a_seed,
    an_rng,
    are_finite,
    are_scores,
    at_least_one,
    brief,
    is_number,
    whole_number,
)
from purembts.game import (
    AnyGame,
    Choice,
    DefaultPolicy,
    E,
    Game,
    GamePlayout,
    S,
    Turn,
    Values,
    is_made_for,
    playout,
    random_play,
)
from purembts.records import NOTHING, Record, Scores, as_tree, checked_record

F = TypeVar("F", bound=Callable[..., Any])
_Arguments: TypeAlias = dict[str, Any]


def explained(word: F) -> F:
    """`word`, whose mistakes come in sentences, also those of an iterator that it returns."""
    code = unwrap(word).__code__
    names = code.co_varnames[: code.co_argcount]
    is_dive = names == ("game", "tree", "state", "rng")
    is_random = not {"rng", "seed"}.isdisjoint(code.co_varnames)

    @wraps(word)
    def guarded(*values: Any, **options: Any) -> Any:  # noqa: ANN401
        try:
            if not (is_dive and len(values) > 1 and values[1]):  # not a later dive
                values, options = looked_at(names, values, options, is_random=is_random)
            answer = word(*values, **options)
        except Exception as error:
            if mistake := mistake_in(dict(zip(names, values, strict=False)) | options, error):
                raise mistake from error
            raise
        if isinstance(answer, Record):
            _check_simulated(answer, **(dict(zip(names, values, strict=False)) | options))
        if isinstance(answer, Iterator):
            return _items(answer, dict(zip(names, values, strict=False)) | options)
        return answer

    return cast("F", guarded)


def _items(items: Iterator[Any], arguments: _Arguments) -> Iterator[Any]:
    """`items`, whose mistakes come in sentences."""
    try:
        yield from items
    except Exception as error:
        if mistake := mistake_in(arguments, error):
            raise mistake from error
        raise


# Before a word begins


def looked_at(
    names: Sequence[str], values: tuple[Any, ...], options: _Arguments, *, is_random: bool
) -> tuple[tuple[Any, ...], _Arguments]:
    """`values` and `options`, looked at, with an int for a whole number of another type.

    Words that draw need a look at the first position: they may come late to a mistake in it.
    """
    arguments = dict(zip(names, values, strict=False)) | options
    _check_arguments(arguments)
    if is_random:
        _check_start(arguments)
    whole = {name: at_least_one(arguments[name], name) for name in COUNTS & arguments.keys()}
    if all(type(arguments[name]) is int for name in whole):
        return values, options
    return (), arguments | whole


def _check_arguments(arguments: _Arguments) -> None:
    """Raise a ValueError if one of `arguments` is wrong by itself."""
    for name, value in arguments.items():
        if name in COUNTS:
            at_least_one(value, name)
        elif name in CHECKS:
            CHECKS[name](value, name)
        elif name in RIGHT_VALUES:
            is_right, right = RIGHT_VALUES[name]
            if not is_right(value):
                raise ValueError(f"`{name}` must be {right}; got {brief(value)}.")


def _check_start(arguments: _Arguments) -> None:
    """Raise a ValueError if the game fails at its first position, or after it in a new search."""
    game, first = arguments.get("game"), arguments.get("state", arguments.get("start"))
    if not isinstance(game, Game) or (first is None and "state" not in arguments):
        return
    check_game(game, first)
    if "tree" in arguments:
        _check_record_at(game, arguments["tree"], first)
        if not any(game is other for other in _games_tried):
            _check_playout(game, playout, first)
            _games_tried.append(game)


_games_tried: deque[AnyGame] = deque(maxlen=8)
"""The last games in which a random game was played, which is done once."""


def _check_simulated(record: Record, game: Game[S, E], state: S, **options: Any) -> None:
    """Raise a ValueError if `record` cannot be that of random games from `state`."""
    n, scores = record
    low, high = n * game.score_range[0], n * game.score_range[1]
    is_right = len(scores) == game.players and are_scores(scores) and are_finite(scores)
    if not is_right or not low <= min(scores) <= max(scores) <= high:
        _check_playout(game, options.get("default_policy", playout), state)


def _check_tree(tree: Any, name: str) -> None:  # noqa: ANN401, ARG001
    """Raise a ValueError if `tree` is not a map, such as the pair that `uct` returns."""
    if not hasattr(tree, "get") and tree is not None:
        as_tree(tree)


def _check_marks(marks: Iterable[int], name: str) -> None:
    """Raise a ValueError unless `marks` are whole numbers, at least one of them."""
    if not isinstance(marks, Iterator):
        at_least_one(len([at_least_one(mark, name) for mark in marks]), f"len({name})")


def check_bound_function(bound: AnyBound, name: str = "bound", most: int = 2) -> None:  # noqa: ARG001
    """Raise a ValueError if `bound` fails for choices of fewer than `most` visits."""
    for n, more in product(range(most), range(2)):
        for score in range(n + 1):
            bound_of_choice(bound, score, n, n + more)


def bound_of_choice(bound: AnyBound, score: float, visits: int, total: int) -> float:
    """The bound of a choice. ValueError if `bound` fails, or if its value is no number."""
    error = None
    try:
        value = bound(score, visits, total)
        if is_number(value):
            return value
        got = brief(value)
    except Exception as failure:  # noqa: BLE001 - a function that somebody wrote
        error, got = failure, f"{type(failure).__name__}: {failure},"
    right = "be a function of a score, visits and a total, whose value is a number, as that of ucb1"
    case = f"score={score}, visits={visits}, total={total}"
    raise ValueError(f"`bound` must {right}; got {got} for {case}.") from error


# A game that a user wrote


def check_game(game: Game[S, E], state: S) -> None:
    """Raise a ValueError if a fact of `game` is wrong, or if its functions fail at `state`."""
    check_facts(game)
    try:
        check_rules_at(game, state)
    except ValueError as error:
        first = game.deal(Random(0)) if game.deal else game.start
        if first is None or type(state) is type(first):
            raise
        raise ValueError(
            f"`state` must be a position of {game.name}, for example {brief(first)}; "
            f"got {brief(state)}. {error}"
        ) from error


def check_facts(game: Game[S, E], name: str = "game") -> None:
    """Raise a ValueError if `game` is not a Game, or if a number among its facts is wrong."""
    if not isinstance(game, Game):  # as where this first argument is forgotten
        maker = getattr(game, "__name__", "")
        advice = f" If `{maker}` makes a game, call it: {maker}()." if maker else ""
        right = "a Game, for example shut_the_box(), and the first argument"
        raise ValueError(f"`{name}` must be {right}; got {brief(game)}.{advice}")
    whole_number(game.players, f"players of {game.name}", 1)
    whole_number(game.max_turns, f"max_turns of {game.name}", 1)
    scores = game.score_range
    is_pair = isinstance(scores, tuple) and len(scores) == 2 and are_finite(scores)
    if not is_pair or not 0 < scores[1] - scores[0] < inf:
        raise ValueError(
            f"`score_range` of {game.name} must be two finite numbers, the lower one first, with a "
            f"finite difference; got {brief(scores)}."
        )
    policy = game.playout
    if isinstance(policy, GamePlayout) and not (policy.is_uniform or is_made_for(policy, game)):
        raise ValueError(
            f"{game.name} has knowledge that was made for other functions. Change the functions of "
            "a game first, and add knowledge to it then."
        )


def check_rules_at(game: Game[S, E], state: S) -> None:
    """Raise a ValueError if a function of `game` fails at `state`, or if positions are no keys."""
    _check_hashes(game, [state])
    for event in islice(checked_events(game, state), _SOME_EVENTS):
        if moves := checked_moves(game, state, event):
            break
    else:
        checked_result(game, state)
        return
    checked_player(game, state)
    _check_hashes(game, moves)
    again = checked_moves(game, state, event)
    if moves is not again and {*moves} != {*again}:
        raise ValueError(
            f"`moves` of {game.name} must have the same value again; got {brief(moves)} and "
            f"{brief(again)} at {brief(state)}. Positions need `__eq__` and `__hash__`, "
            "as a NamedTuple has them."
        )


_SOME_EVENTS = 100
"""The most events at a position after which moves are looked for."""


def _check_hashes(game: Game[S, E], states: Sequence[S]) -> None:
    """Raise a ValueError if one of `states` has no hash."""
    try:
        for state in states:
            hash(state)
    except TypeError as error:
        right = "must be hashable, for example a tuple"
        raise ValueError(f"A position of {game.name} {right}; got {brief(state)}.") from error


def checked_player(game: Game[S, E], state: S) -> int:
    """The player to move at `state`. ValueError unless it is an index into the scores."""
    right, players = f"be an int from 0 to {game.players - 1}", range(game.players)
    player: int = _answer(
        game, "to_move", (state,), right, lambda x: type(x) is int and x in players
    )
    return player


def checked_moves(game: Game[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event`. ValueError unless they are a sequence."""
    right = "return a sequence, for example a tuple"
    moves: Sequence[S] = _answer(
        game, "moves", (state, event), right, lambda x: isinstance(x, Sequence)
    )
    return moves


def checked_events(game: Game[S, E], state: S) -> Sequence[E]:
    """The events at `state`. ValueError unless they are a sequence of at least one."""
    right = "return a sequence, with at least one event, and fewer than 2**63, for example a tuple"
    events: Sequence[E] = _answer(game, "chances", (state,), right, _are_events)
    return events


def _are_events(events: Any) -> bool:  # noqa: ANN401
    """True if `events` are a sequence that can be counted, with at least one event."""
    try:
        return isinstance(events, Sequence) and len(events) > 0
    except OverflowError:
        return False


def checked_result(game: Game[S, E], state: S) -> Scores:
    """The result at `state`, where the game has ended. ValueError unless it is a result."""
    result: Scores = _answer(game, "result", (state,), "", lambda _: True)
    check_result(game, state, result)
    return result


def _answer(
    game: Game[S, E],
    name: str,
    arguments: tuple[Any, ...],
    right: str,
    is_right: Callable[[Any], bool],
) -> Any:  # noqa: ANN401
    """The answer of the function `name` of `game`. ValueError if it fails, or is not right."""
    try:
        answer = getattr(game, name)(*arguments)
    except MISTAKES as error:
        raise ValueError(
            f"`{name}` of {game.name} must have a value for {brief(arguments)}; "
            f"got {type(error).__name__}: {error}."
        ) from error
    if is_right(answer):
        return answer
    got = f"{brief(answer)} at {brief(arguments[0])}"
    raise ValueError(f"`{name}` of {game.name} must {right}; got {got}.")


def check_result(game: Game[S, E], state: S, result: Scores) -> None:
    """Raise a ValueError if `result` is not a result of `game`, played from `state`.

    A score is an int, a float or a Fraction. Other numbers cannot be written to a file.
    """
    low, high = game.score_range
    if not isinstance(result, tuple) or len(result) != game.players:
        right = f"a tuple of {_scores(game)}"
    elif not are_scores(result):
        right = f"scores from {low} to {high}, each an int, a float or a Fraction"
    elif not are_finite(result) or not low <= min(result) <= max(result) <= high:
        right = f"scores from {low} to {high}, `score_range`"
    else:
        return
    raise ValueError(
        f"A result of {game.name} must be {right}; got {brief(result)} from {brief(state)}."
    )


def _scores(game: Game[S, E]) -> str:
    """The number of scores of a result, in words."""
    return "1 score" if game.players == 1 else f"{game.players} scores"


COUNTS = {
    *("dives", "n", "games", "rollouts", "chunks", "budget", "worlds", "seeds", "runs", "pulls"),
    *("times", "horizon"),
}
"""The arguments that are whole numbers of at least 1."""
CHECKS: Mapping[str, Callable[[Any, str], object]] = {
    "game": check_facts,
    "rng": an_rng,
    "seed": a_seed,
    "bound": check_bound_function,
    "tree": _check_tree,
    "marks": _check_marks,
}
"""The checks of other arguments, by their names."""
RIGHT_VALUES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "turn": (
        lambda x: isinstance(x, Turn | None),
        "a Turn, for example turn_at(game, state, event)",
    ),
    "choose": (lambda x: x is None or callable(x), "a function of a turn"),
    "policy": (lambda x: x is None or callable(x), "a function of a turn"),
    "bounds": (
        lambda x: isinstance(x, Mapping) and len(x) > 0,
        'a map from names to bounds, for example {"UCB1": ucb1}',
    ),
    "policies": (
        lambda x: isinstance(x, Mapping),
        'a map from names to policies, for example {"UCB1": by_bound()}',
    ),
    "arms": (
        lambda x: isinstance(x, Sequence) and len(x) > 0 and all(map(callable, x)),
        "a sequence of at least one arm, for example (bernoulli(0.5),)",
    ),
}
"""The right values of the other arguments, in a function and in words."""


# After a failure


def mistake_in(arguments: _Arguments, error: Exception) -> ValueError | None:
    """The error that says which argument or rule led to `error`; None if `error` says it itself."""
    if isinstance(error, AssertionError):
        return None  # a law that is broken, and not a mistake
    try:
        _check_arguments(arguments)
        _check_start(arguments)
        for values in _frames_of(error):
            _check_values({**arguments, **values})
    except ValueError as mistake:
        return None if str(mistake) == str(error) else mistake
    except Exception:  # noqa: BLE001 - the first error says more than one of the search for it
        return None
    return None


def _frames_of(error: Exception) -> Iterator[Mapping[str, Any]]:
    """The local values of the functions of the library that led to `error`, the innermost first."""
    for frame in reversed([frame for frame, _ in walk_tb(error.__traceback__)]):
        room = str(frame.f_globals.get("__name__"))
        if room.startswith("purembts.") and not room.startswith(("purembts.games.", __name__)):
            yield frame.f_locals


def _check_values(values: Mapping[str, Any]) -> None:
    """Raise a ValueError if a rule or a policy fails with the local values of a function."""
    if "bound" in values:
        check_bound_function(values["bound"], most=_SOME_VISITS)
    if "arm" in values and "history" in values:
        _check_arm(values["arm"], values["arms"])
    game: Any = values.get("game")
    for state in _places_in(values) if isinstance(game, Game) else ():
        check_rules_at(game, state)
        _check_records(game, values.get("tree"), state)
        _check_playout(game, values.get("default_policy", playout), state)
    if "played" in values:  # the turns of a solver, with the moves that are played
        for _, turn, moves in values["played"]:
            _check_moves_played(turn, moves, values["choose"], values["values"])
    if "policy" in values and isinstance(values.get("turn"), Turn):
        _check_answer(values["turn"], values["policy"](values["turn"]))


_SOME_VISITS = 12
"""The visits below which a bound that failed is tried."""


def _places_in(values: Mapping[str, Any]) -> list[Any]:
    """The positions in the local values of a function."""
    places = [values[name] for name in ("leaf", "position", "state") if name in values]
    if "here" in values:  # a tally, or a linked position
        places.insert(0, values["here"].state)
    if "choose" in values and "turn" in values:  # of a solver; another turn may be of views
        places.insert(0, values["turn"].state)
    return places


def _check_arm(arm: object, arms: Sequence[object]) -> None:
    """Raise a ValueError if `arm` is not the index of one of `arms`."""
    if arm not in range(len(arms)):
        right = f"the index of an arm, from 0 to {len(arms) - 1}"
        raise ValueError(f"A policy must return {right}; got {brief(arm)}.")


def _check_moves_played(
    turn: Turn[S, E], moves: Sequence[S], choose: Choice[S, E] | None, values: Mapping[S, Values]
) -> None:
    """Raise a ValueError if `moves`, or the moves that `choose` plays, are not moves of `turn`."""
    if len(turn.moves) > 1:
        _check_answer(turn, moves)
        if choose is not None:
            _check_answer(turn, choose(turn, [values[move] for move in turn.moves]))


def _check_answer(turn: Turn[S, E], answer: Iterable[S]) -> None:
    """Raise a ValueError if `answer` has no moves, or something that is not a move of `turn`."""
    moves = tuple(answer or ())
    if not moves or not all(move in turn.moves for move in moves):
        raise ValueError(
            f"A policy must answer with moves of its turn; got {brief(answer)} at {brief(turn)}."
        )


def _check_records(game: Game[S, E], tree: Any, state: S) -> None:  # noqa: ANN401
    """Raise a ValueError if `tree` has a record of another game at `state`, or after a move."""
    events = islice(checked_events(game, state), _SOME_EVENTS)
    moves = [move for event in events for move in checked_moves(game, state, event)]
    for position in [state, *moves]:
        _check_record_at(game, tree, position)


def _check_record_at(game: Game[S, E], tree: Any, state: S) -> None:  # noqa: ANN401
    """Raise a ValueError if `tree` has a record of another game at `state`."""
    record = checked_record((tree.get(state) if hasattr(tree, "get") else None) or NOTHING)
    if record.visits and len(record.scores) != game.players:
        got = brief(record)
        raise ValueError(f"A record of {game.name} must have {_scores(game)}; got {got}.")


def _check_playout(game: Game[S, E], chosen: DefaultPolicy[S, E], state: S) -> None:
    """Raise a ValueError if a random game from `state` has a wrong result.

    A policy that fails is named if somebody chose it. A fault of a rule has its own sentence.
    """
    policy, name = chosen, "`default_policy`"
    if chosen is playout:
        policy, name = random_play(game), f"`playout` of {game.name}"
    try:
        result = policy(game, state, Random(0))
    except Exception as error:
        if policy is not game.playout and chosen is playout:
            return
        right = "a function of a game, a position and a generator, with the result of a game"
        got = f"{type(error).__name__}: {error}, from {brief(state)}"
        raise ValueError(f"{name} must be {right}; got {got}.") from error
    check_result(game, state, result)
