"""Python in a new process, with the modules that this one finds."""

import os
import subprocess
import sys


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
