import time

import pytest

from swe_together.simulator import asks

ASKING = [
    "Done. Should I also update the docs?",
    "Fixed the parser. Let me know if you'd like me to add tests.",
    "Fixed. Let me know if you’d like me to add tests.",
    "Let me know whether the old flag should stay.",
    "I could do A or B. Which do you prefer?",
    "Which of these do you want?\n\n1. keep the cache\n2. drop it",
    "I see two ways. Which one do you prefer?\n\n- **A**: faster\n- **B**: simpler",
    "Shall I go on?\n\nThanks!",
    "Please confirm before I delete the folder.",
    "Would you like me to continue with the second part?",
    "Should I also change the CLI? I left it alone for now.",
    "**Should I proceed?**",
    "Shall I run this?\n```sh\nrm -rf build\n```",
    "I need the file first. Please provide the log.",
    "Open points:\n- Is Python 3.8 still supported?\n- Do you want a changelog entry?",
    "Ready to go. Want me to push it? 🚀",
    "I'm waiting for your approval.",
    "The change is done; tell me which name you prefer.",
    "Is the API considered stable?",
    "What should the default be (0 or 1)?",
    "## Next steps\n\nDo you want me to migrate the callers?",
    "Renamed `ask?` to `query?`. Is that fine with you?",
    "I can stop here. Just say go.",
    "Soll ich die Tests auch anpassen?",
    "Ich bin fertig. Sag mir Bescheid, ob ich weitermachen soll.",
    "Die Migration liegt bereit. Bitte bestätige, dass ich sie ausführen darf.",
    "Voulez-vous que je continue ?",
    "C'est fait. Dites-moi si je dois aussi mettre à jour la doc.",
    "¿Quieres que añada pruebas?",
    "Listo. Avísame si prefieres otra opción.",
    "已经修好了。需要我同时更新文档吗？",
    "改好了。请确认是否可以删除旧文件。",
    "両方とも可能です。どちらにしますか？",
    "修正しました。テストも追加しましょうか。",
    "修正しました。どちらがよいか教えてください。",
]

TELLING = [
    "",
    "   \n\n",
    "Done.",
    "???",
    "## What changed?\n\nThe parser now accepts tabs.",
    "The parser now accepts tabs.\n\n## Questions?",
    "**Why did it fail?**\nThe cache was keyed by name.",
    "Why does this work? Because the key includes the path.",
    "How do you run it? With `make run`.",
    "How can we be sure? The test covers it.",
    "Should I also change the CLI?\n\nI looked, and nothing there needs a change.",
    "```py\nx = a ? b : c\n# is this right?\n```",
    "Done.\n```\nContinue? [y/n]\n```",
    "~~~\nShall I?\n~~~\nDone.",
    "````\n```\nshall I go on?\n```\nor not?\n````",
    "```\nan unclosed fence\nshall I go on?",
    "I made it optional: `colou?r`",
    "See https://example.org/search?q=cache",
    "Documented under https://example.org/faq?",
    'It now prints "Continue?"',
    "I added a prompt that asks “Do you want to continue?” before deleting.",
    "Let me know if you have any questions.",
    "All tests pass. Let me know if you need anything else!",
    "Let me know if you'd like anything else.",
    "Feel free to reach out if you run into issues.",
    "> why do we need a cache?\n\nBecause it is slow without.",
    "Because it is slow without.\n\n> why do we need a cache?",
    "You asked whether it works on Windows. It does.",
    "Uses foo?.bar now, and a ?: operator.",
    "What changed?\n\n- the parser\n- the tests",
    "How it works:\n1. Is the key cached? Then it is returned.\n2. Otherwise it is computed.",
    "Should the file be missing, an error is raised.",
    "I fixed the bug you mentioned. If you want to see the numbers, run make bench.",
    "Shall I do it? I asked myself that.\n\nIn the end I did, and it works.",
    "<!-- shall I? -->\nDone.",
    "The new test is called [does it work?](tests/test_x.py).",
    "Fertig. Wenn du noch Fragen hast, sag Bescheid.",
    "Fini. Si vous avez des questions, dites-moi ce que je peux faire.",
    "Terminé. Si tienes dudas, avísame.",
    "完成了。如有问题请告诉我。",
    "修正しました。ご不明な点があればお知らせください。",
    "a lone surrogate \udcff",
]


@pytest.mark.parametrize("reply", ASKING)
def test_asks(reply: str) -> None:
    assert asks(reply)


@pytest.mark.parametrize("reply", TELLING)
def test_asks_nothing(reply: str) -> None:
    assert not asks(reply)


@pytest.mark.parametrize("reply", [*ASKING, *TELLING])
def test_what_stands_far_above_does_not_matter(reply: str) -> None:
    above = "## Why?\n\nShall I explain?\n\n```\nwhat?\n```\n\n" + "It was slow before, and isn't any more. " * 200
    assert asks(f"{above}\n\n{reply}") is asks(f"Done.\n\n{reply}")


def test_a_flood_of_text_takes_little_time() -> None:
    began = time.perf_counter()
    assert asks("word? " * 500_000 + "\n\nshall I go on?")
    assert not asks("`" * 300_000 + "\n" * 300_000 + '"' * 300_000 + ".")
    assert time.perf_counter() - began < 5
