"""The course: the workshop's tasks as properties, planted mistakes, and a learner's own tests.

`tasks` marks a solution. `processes` starts the process that runs somebody's file.
"""
