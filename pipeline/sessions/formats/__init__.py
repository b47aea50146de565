"""One module for each format of recorded sessions.

A module has ``NAME`` (of ``Format``), ``sniff(head)``, which says from a file's first records whether it is of this
format and reads nothing more, and ``read(source)``, which yields the file's sessions one by one.
"""
