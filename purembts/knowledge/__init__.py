"""Knowledge of good play, as strategies and as transformations of games."""
