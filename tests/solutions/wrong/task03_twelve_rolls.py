"""Task 3: 12 rolls are counted, but there are 11 from 2 to 12."""


def number_of_states():
    return 2**9 * 12
