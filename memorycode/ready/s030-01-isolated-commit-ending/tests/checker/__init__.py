"""The checker of the rules, as swe-together has it."""
