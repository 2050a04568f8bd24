"""Hypothesis without deadlines, which noisy machines miss; on CI the same examples every time."""

import os

from hypothesis import settings

settings.register_profile("purembts", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("purembts")
