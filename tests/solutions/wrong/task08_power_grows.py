"""Task 8: the list in the default argument grows from call to call."""


def power(items, subsets=[()]):
    for item in items:
        subsets += [(*subset, item) for subset in subsets]
    return subsets
