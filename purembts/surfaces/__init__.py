"""Between the search and a person, without effects: games in play, thoughts, results, and words."""
