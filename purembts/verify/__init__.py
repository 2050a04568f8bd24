"""Verification: laws, Hypothesis strategies, statistical tests, and the workshop's tasks as checks.

`game_laws` checks a game. `search_laws` and `tree_machine` check a search. `algorithm_laws` checks
a playout, a simulation, a bound, a bandit policy or a solver, and `tasks` a solution of the
workshop. They work on code that is not from this library. They need the extra `verify`:
python -m pip install 'purembts[verify]'.
"""
