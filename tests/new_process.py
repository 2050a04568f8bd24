"""Python in a new process, with the modules that this one finds, and on a terminal."""

import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from functools import partial


def python(*words, environment=(), **how):
    """A new process of Python, as `subprocess.Popen` makes it."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **dict(environment)}
    return subprocess.Popen([sys.executable, *words], env=env, text=True, **how)


def printed(*words, **environment):
    """What a new process prints, and what it says on stderr; its exit code is 0."""
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with python(*words, environment=environment, **pipes) as process:
        said = process.communicate()
    assert process.returncode == 0, said
    return said


@contextmanager
def on_terminal(*words, folder=None, **environment):
    """A function that types a text, and one that reads until a text; the exit code is 0."""
    ours, theirs = os.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    with python(*words, environment=environment, cwd=folder, **streams) as process:
        os.close(theirs)
        yield lambda text: os.write(ours, text.encode()), partial(read_until, ours)
        assert process.wait(60) == 0
    os.close(ours)


def read_until(file, text):
    """The text that a terminal shows until `text`, or until its end if `text` is empty."""
    parts = b""
    with suppress(OSError):  # Linux gives an error at the end
        while not text or text.encode() not in parts:
            parts += os.read(file, 4096)
    return parts.decode()
