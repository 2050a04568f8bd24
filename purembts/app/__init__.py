"""The commands, and the ways in which a person meets them.

`requests`: a typed value for each command. `commands`: a generator of `steps` for each request.
`sessions`: a game so far; `turns`: one turn of it; `hints`: its hints and costs; `results` and
`sampled_results`: what commands return. `encoded` and `printed` render each step. The other rooms
are adapters, with all effects.
"""
