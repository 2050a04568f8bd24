"""The commands, and the ways in which a person meets them.

`requests`: a typed value for each command. `commands`: a generator of `steps` for each request.
`sitting`: one game in progress; `hints`: its hints and costs; `thinking`: players as reports.
`results`, `check_results`, `estimates`: the results. `sentences`: the texts of games. The other
rooms are adapters, with all effects: `terminal`, `screen`, `parser`, `prompt`, `files`.
"""
