"""What a bad agent does to its container, its logs and those who read them: shell commands, bounded in size."""

from collections.abc import Mapping
from typing import Final

PYTHON = "python3 - <<'END'\n{}\nEND"

DEEDS: Final[Mapping[str, str]] = {
    "flood": "yes 'all work and no play' | head -c 1073741824 | tee /logs/agent/flood.txt",
    "large-file": "head -c 3221225472 /dev/urandom > large.bin && stat -c %s large.bin",
    "no-git": "rm -rf .git && ls -a",
    "many-files": PYTHON.format(
        "import os\n"
        "for folder in range(100):\n"
        "    os.makedirs(f'many/{folder}')\n"
        "    for file in range(1000):\n"
        "        open(f'many/{folder}/{file}.txt', 'w').write(f'{file}\\n')\n"
        "print(sum(len(files) for _, _, files in os.walk('many')))"
    ),
    "daemons": PYTHON.format(
        "import os, signal, time\n"
        "for _ in range(5):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):\n"
        "            signal.signal(name, signal.SIG_IGN)\n"
        "        if os.fork() == 0:\n"
        "            for stream in (0, 1, 2):\n"
        "                os.close(stream)\n"
        "            while True:\n"
        "                time.sleep(1)\n"
        "        os._exit(0)\n"
        "print('they run')"
    ),
    "invalid-utf8": PYTHON.format(
        "import random, sys\n"
        "sys.stdout.buffer.write(random.Random(1).randbytes(200_000) + b'\\xff\\xfe\\xed\\xa0\\x80\\n')"
    ),
    "ansi": PYTHON.format(
        "print('\\x1b]0;title\\x07\\x1b[2J\\x1b[1;31mred\\x1b[0m\\x1b[9999;9999H' * 2000)\n"
        "print('\\x1b[?1049h\\x00\\x08\\x7f')"
    ),
    "long-lines": PYTHON.format("for letter in 'ab':\n    print(letter * 1_000_000)"),
}
"""By the fault that each one is."""
