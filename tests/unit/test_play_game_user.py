"""A person's game, played with lines that are read from a list and written to one."""

import pytest

from purembts import WIN, all_boxes, easy_box, play_game_user

BOX = frozenset({1, 2, 3, 4})


class Scripted:
    """A generator of the given throws, as indices of the 36."""

    def __init__(self, *throws):
        self.throws = iter(throws)

    def random(self):
        first, second = next(self.throws)
        return ((first - 1) * 6 + second - 1 + 0.5) / 36


def play(box, throws, answers, **options):
    """The result of a game, the lines that were written, and the prompts."""
    lines, asked, rest = [], [], iter(answers)

    def read(prompt):
        asked.append(prompt)
        answer = next(rest)
        if isinstance(answer, type):
            raise answer
        return answer

    result = play_game_user(box, Scripted(*throws), read=read, write=lines.append, **options)
    return result, lines, asked


def test_a_game_that_is_won():
    """An answer may be a number as well as a text."""
    result, lines, asked = play(BOX, [(3, 3), (2, 2)], [2])
    assert result == WIN
    assert lines == [
        "Box [1234     ]  roll 6",
        "  1: [   4     ] shut 1+2+3",
        "  2: [1 3      ] shut 2+4",
        "Box [1 3      ]  roll 4",
        "  only [         ] shut 1+3",
        "The box is shut: you win.",
    ]
    assert asked == ["Your choice, 1 to 2: "]


@pytest.mark.parametrize(
    "wrong", ["", "0", "3", "-1", "two", "1.0", "1 2", "²", "__import__('os').abort()"]
)
def test_a_wrong_answer_is_asked_again(wrong):
    result, lines, asked = play(BOX, [(3, 3), (2, 2)], [wrong, " 2 "])
    assert result == WIN
    assert len(asked) == 2
    assert f"{wrong!r} is not one of the choices." in lines


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_end_of_input_and_ctrl_c_end_the_game_politely(end):
    result, lines, _ = play(BOX, [(3, 3)], ["7", end])
    assert result is None
    assert lines[-1] == "\nYou leave the game."


def test_a_hint_that_is_no_record_and_no_probability_is_refused():
    with pytest.raises(ValueError, match="could not convert string to float: 'often'"):
        play(BOX, [(3, 3)], [EOFError], hints=dict.fromkeys(all_boxes, "often"))


def test_the_terminal_and_the_full_box_are_the_defaults(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", iter_input := __import__("io").StringIO(""))
    assert play_game_user(easy_box, Scripted((3, 4))) == WIN
    assert play_game_user(BOX, Scripted((3, 3))) is None
    assert iter_input.read() == ""
    assert capsys.readouterr().out.endswith("Your choice, 1 to 2: \nYou leave the game.\n")
    assert play_game_user(rng=Scripted((1, 2))) is None
    assert capsys.readouterr().out.startswith("Box [123456789]  roll 3\n")
