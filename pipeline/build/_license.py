"""The licence of a code base, by the first words of its licence file."""

import re
from typing import Final

from swe_together.pipeline.base import Repository, Tree

UNKNOWN: Final = "LicenseRef-unknown"
"""SPDX's form of a licence that has no name of its own."""
OPEN: Final = frozenset(
    {
        "MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MPL-2.0", "Unlicense", "CC0-1.0", "0BSD",
        "GPL-2.0-only", "GPL-3.0-only", "LGPL-3.0-only", "AGPL-3.0-only",
    }
)  # fmt: skip
"""Licences under which a code base may be passed on."""

_FILES: Final = re.compile(r"^(?:LICEN[CS]E|COPYING|UNLICENSE)(?:\.(?:md|txt|rst))?$", re.IGNORECASE)
_WORDS: Final = (
    ("Apache-2.0", r"apache license\s+version 2\.0"),
    ("MPL-2.0", r"mozilla public license,? version 2\.0"),
    ("AGPL-3.0-only", r"gnu affero general public license\s+version 3"),
    ("LGPL-3.0-only", r"gnu lesser general public license\s+version 3"),
    ("GPL-3.0-only", r"gnu general public license\s+version 3"),
    ("GPL-2.0-only", r"gnu general public license\s+version 2"),
    ("CC0-1.0", r"cc0 1\.0 universal"),
    ("Unlicense", r"this is free and unencumbered software"),
    ("BSD-3-Clause", r"redistribution and use in source and binary forms[\s\S]*neither the name"),
    ("BSD-2-Clause", r"redistribution and use in source and binary forms"),
    ("ISC", r"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is"
     r" hereby granted, provided that"),
    ("0BSD", r"permission to use, copy, modify, and/or distribute this software for any purpose"),
    ("MIT", r"permission is hereby granted, free of charge, to any person obtaining a copy"),
)  # fmt: skip


def license_of(repository: Repository, tree: Tree) -> str:
    """The SPDX name of the licence in the root of a tree; ``LicenseRef-unknown`` where there is none that is known."""
    for path in sorted(path for path in tree if _FILES.match(path)):
        text = " ".join(repository.blob(tree[path].sha).decode("utf-8", "replace").casefold().split())
        for name, words in _WORDS:
            if re.search(words, text):
                return name
    return UNKNOWN
