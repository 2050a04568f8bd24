"""The options of the command line, and its parser."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from typing import Any, NoReturn

from purembts.bounds import AnyBound, ucb1_with, ucb_wald, wald_with
from purembts.checks import brief
from purembts.game import Game
from purembts.games.shut_the_box import Rules
from purembts.shell import arguments, games
from purembts.shell.players import player_called
from purembts.shell.screen import STDOUT, say
from purembts.surfaces import commands
from purembts.surfaces.commands import Kind, Option, is_valued
from purembts.surfaces.dialogue import seats_called, specs_of
from purembts.surfaces.minds import usual_bound, usual_c
from purembts.surfaces.parsing import as_typed, fields_of, names_of, position_called

KINDS: Mapping[Kind, Callable[[str], Any]] = {
    "text": str,
    "count": arguments.count,
    "seconds": arguments.duration,
    "delay": arguments.delay,
    "width": arguments.width,
    "probability": arguments.probability,
    "seed": arguments.seed,
    "task": arguments.task,
    "tree": arguments.existing_path,
    "new": arguments.new_path,
    "output": arguments.output_path,
    "chart": arguments.chart_path,
    "target": arguments.target,
}
"""The functions from a text to a value."""


# The values of the options


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options in `words`, the arguments of a call, with the game and the position as values.

    The name of the command is `command`, and the name of the game `named`. Wrong arguments end the
    program with exit code 2 and one line on stderr.
    """
    options = _parser(words).parse_args(words)
    try:
        if _has_rules(options.command):
            _choose_game(options)
        if "z" in options:
            options.bound = _bound(options)
            _refuse_players(options)
        if "target" in options:
            _refuse_options_of_other_targets(options)
        if "save" in options:
            _refuse_trees(options)
        if options.command == "learn":
            _refuse_card(options)
    except ValueError as error:
        options.parser.error(str(error))
    return options


def _choose_game(options: argparse.Namespace) -> None:
    """Put the game, the words of its variant, and the position in the place of their words."""
    options.named = getattr(options, "game", commands.USUAL)
    options.rules = [*(options.pairs or []), *(getattr(options, "rules", None) or [])]
    options.variant = ", ".join(options.rules)
    options.game = games.game_called(options.named, options.rules)
    options.start = vars(options).get("from")
    if options.start is not None:
        options.start = position_called(options.game, options.start, getattr(options, "seed", None))


def _bound(options: argparse.Namespace) -> AnyBound:
    """The bound that the options name, or the usual one."""
    if options.z is not None:
        return wald_with(options.z)
    if options.c is not None:
        return ucb1_with(options.c)
    return ucb_wald if options.named in games.WORKSHOP else usual_bound(options.game)


def _refuse_players(options: argparse.Namespace) -> None:
    """Raise a ValueError for a seat or a player that there is not, before the work."""
    game, seats = options.game, getattr(options, "seats", None)
    texts = getattr(options, "players", None) or getattr(options, "against", None)
    for text in texts or ():
        if text != "perfect":  # the positions are counted with the work
            player_called(game, text)
    if options.command in ("play", "watch"):
        persons = seats_called(game, seats) if options.command == "play" else ()
        specs_of(game, persons, texts, "random")


def _refuse_trees(options: argparse.Namespace) -> None:
    """Raise a ValueError if the tree cannot be saved, or has the file of another result."""
    game, output = options.game, getattr(options, "output", None)
    if options.save and (game.hidden or game).json is None:
        raise ValueError(f"argument --save: {game.name} has no JSON, so no tree can be saved.")
    trees = {path.resolve() for path in (options.save, options.load) if path}
    if output and output.resolve() in trees:
        got = brief(str(output))
        raise ValueError(
            f"argument -o/--output: `FILE` must not be the file of the tree; got {got}."
        )


def _refuse_card(options: argparse.Namespace) -> None:
    """Raise a ValueError for a table of best moves of another game than Shut the Box."""
    path, is_card = options.output, isinstance(options.game.rules, Rules)
    is_chart = path in (None, STDOUT) or path.suffix.lower() in arguments.CHARTS
    if not is_card and not is_chart:
        got = brief(str(path))
        raise ValueError(f"argument -o/--output: `FILE` must end in .png or .svg; got {got}.")
    if not is_card and options.format:
        raise ValueError("argument --format: this option is for Shut the Box.")


def _refuse_options_of_other_targets(options: argparse.Namespace) -> None:
    """Refuse the options of a game for a solution, and those of a solution for a game."""
    is_game = options.target.game is not None
    for name in ("task", "watch") if is_game else ("examples", "seconds"):
        if getattr(options, name):
            target, other = ("a solution", "a game") if is_game else ("a game", "a solution")
            raise ValueError(f"argument --{name}: this is for {target}; the target is {other}.")
    if options.watch and options.json:
        raise ValueError("argument --json: this option does not go with --watch.")
    options.examples, options.seconds = (
        options.examples or commands.EXAMPLES,
        options.seconds or commands.SECONDS,
    )


# The parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)", error=True)
        self.exit(2)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of `words`, in which the options of rules are those of the game in `words`."""
    purpose = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    parser = _Parser(prog="purembts", description=purpose)
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    added = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for name, command in commands.COMMANDS.items():
        own = added.add_parser(
            name,
            help=command.purpose,
            description=f"{command.purpose[0].upper()}{command.purpose[1:]}.",
            epilog=f"example: purembts {name} {command.example}".rstrip(),
            allow_abbrev=False,
        )
        own.set_defaults(command=name, parser=own)
        _fill(own, command, words[1:] if name in words[:1] else None)
    return parser


def _fill(
    own: argparse.ArgumentParser, command: commands.Command, words: Sequence[str] | None
) -> None:
    """Add the options of `command` to its parser, with those of the game in its `words`."""
    named, game = commands.USUAL, None
    if words is not None and _has_rules(own.get_default("command")):
        try:
            named = commands.named(command, words, games.GAMES)
            game = games.game_called(named)
        except ValueError as error:
            own.error(str(error))
    for each in command.options:
        group = own if isinstance(each, Option) else own.add_mutually_exclusive_group()
        for option in commands.rivals(each):
            _add(group, option, named, game)
    if game:
        _add_rules(own, named, game)


def _has_rules(command: str) -> bool:
    """True if the command has options that are made of the rules of its game."""
    return command == "table" or commands.GAME in commands.options_of(commands.COMMANDS[command])


def _add(
    command: argparse._ActionsContainer, option: Option, named: str, game: Game[Any, Any] | None
) -> None:
    """Add `option` to `command`, with its default in the help."""
    names, usual, purpose = option.names.split(), option.usual, option.purpose
    if not is_valued(option):
        command.add_argument(*names, action="store_true", help=purpose)
        return
    shown = usual
    if game and option == (commands.Z if named in games.WORKSHOP else commands.C):
        shown = "2" if option == commands.Z else f"{usual_c(game):.3g}"
    if shown is not None:
        values = shown if option.many else [shown]
        words = " ".join(each if isinstance(each, str) else f"{each:g}" for each in values)
        purpose = f"{purpose} (default: {words})"
    if option in (commands.GAME, commands.TARGET):
        purpose = purpose.replace("one of", f"one of {', '.join(games.GAMES)}")
    if option == commands.START and named not in games.WORKSHOP:
        names.remove("--box")
    settings: dict[str, Any] = {"metavar": option.value or None, "choices": option.choices or None}
    if option.many or option == commands.GAME:
        settings["nargs"] = "+" if option.many else "?"
    command.add_argument(*names, type=KINDS[option.kind], default=usual, help=purpose, **settings)


def _add_rules(command: argparse.ArgumentParser, named: str, game: Game[Any, Any]) -> None:
    """Add an option for each field of the rules of the game. Its value is a pair as in --rules."""
    command.set_defaults(pairs=None)
    fields = fields_of(game)
    group = command.add_argument_group(f"rules of {named}") if fields else command
    for name, usual in fields.items():
        settings: dict[str, Any] = {"dest": "pairs", "default": None}
        if names := names_of(game, name):
            settings |= {"action": "append", "type": f"{name}={{}}".format, "nargs": "?"}
            settings |= {"const": "True", "metavar": "|".join(names)}
            settings["help"] = f"turn this rule on, as {names[0]} or as named"
        elif isinstance(usual, bool):
            settings |= {"action": "append_const", "const": f"{name}={not usual}"}
            settings["help"] = f"turn this rule {'off' if usual else 'on'}"
        else:
            settings |= {"action": "append", "type": f"{name}={{}}".format, "metavar": "X"}
            settings["help"] = f"default: {as_typed(usual)}"
        with suppress(argparse.ArgumentError):  # the command has such an option; --rules is left
            group.add_argument(f"--{name.replace('_', '-')}", **settings)


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"
