"""Programs that run inside containers, as root, with Python 3.10 or later and nothing but its standard library.

They are sent as text, never installed. A script may import names from another one of this folder, with lines that
begin at the left edge; everything else that it uses must come from the standard library.
"""
