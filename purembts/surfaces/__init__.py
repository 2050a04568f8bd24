"""All that stands between the search and a person, without effects.

`minds`: the thoughts of players, as reports. `history`: a game so far, with undo, hints and
costs. `dialogue`: the answers that a person gets. `watching`: a game move by move. `wording`: texts
of a game in play. `parsing`: the values that a person types. `stepwise`: long work in steps.
`summaries`, `estimates` and `verdicts`: the results of commands, as `results`. `showing`: values at
a prompt and in notebooks.
"""
