"""Verification: laws, Hypothesis strategies and statistical tests.

`game_laws` checks a game. `search_laws` and `tree_machine` check a search. `algorithm_laws` checks
a playout, a simulation, a bound, a bandit policy or a solver. They work on code that is not from
this library. They need the extra `verify`: python -m pip install 'purembts[verify]'.
"""
