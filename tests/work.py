"""Work of the app driven by hand: its steps, its value, and an interrupt in the middle."""

from purembts.app.steps import Interrupted, Progress, Question, returned


def told(work, answers=()):
    """The steps of `work` whose questions get `answers`, and its value; then the input ends."""
    steps, rest, answer = [], iter(answers), None
    try:
        step = next(work)
        while True:
            steps.append(step)
            answer = next(rest, None) if isinstance(step, Question) else None
            over = isinstance(step, Question) and answer is None
            step = work.throw(EOFError()) if over else work.send(answer)
    except StopIteration as stop:
        return steps, stop.value


def interrupted(work, n):
    """The result of `work` that a person interrupts when `n` parts of it are done."""
    for step in work:
        if isinstance(step, Progress) and step.done >= n:
            break
    assert work.throw(KeyboardInterrupt()) == Interrupted()
    return returned(work)


def headings(table):
    return [column.heading for column in table.columns]
