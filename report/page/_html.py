"""One HTML file of the page's parts, with a policy that lets nothing in but those parts and its own side files."""

import base64
import hashlib
from importlib.resources import files
from typing import Final

PAGE: Final = "swe_together.report.page"
CONVERSATION: Final = "swe_together.report.conversation"
STYLES: Final = ((CONVERSATION, "base.css"), (CONVERSATION, "conversation.css"), (PAGE, "page.css"),
                 (PAGE, "charts.css"))  # fmt: skip
SCRIPTS: Final = (
    (CONVERSATION, "dom.js"), (CONVERSATION, "conversation.js"), (PAGE, "data.js"), (PAGE, "svg.js"),
    (PAGE, "charts.js"), (PAGE, "leaderboard.js"), (PAGE, "filters.js"), (PAGE, "heatmap.js"), (PAGE, "trials.js"),
    (PAGE, "session.js"), (PAGE, "page.js"),
)  # fmt: skip


def render(data: str, title: str) -> str:
    """The page.

    Args:
        data: What it shows, as :func:`script_json` writes it.
        title: Its title; any text.
    """
    style, script = _together(STYLES), _together(SCRIPTS)
    # Side files are let in because the page's own script asks for them, wherever the folder lies: a page that is
    # opened as a file has no origin that a policy could name.
    policy = "; ".join(
        (
            "default-src 'none'", f"style-src {_digest(style)}", f"script-src {_digest(script)} 'strict-dynamic'",
            "img-src data:", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            "trusted-types side-files",
        )
    )  # fmt: skip
    template = (files(PAGE) / "assets" / "page.html").read_text(encoding="utf-8")
    parts = {"policy": policy, "title": _escaped(title), "style": style, "data": data, "script": script}
    # From the template alone: a mark that stands in the data is text like any other.
    before, *pieces = template.split("{{")
    filled = [before]
    for piece in pieces:
        name, _, after = piece.partition("}}")
        filled += [parts[name], after]
    return "".join(filled)


def _together(assets: tuple[tuple[str, str], ...]) -> str:
    texts = [(files(package) / "assets" / name).read_text(encoding="utf-8").strip() for package, name in assets]
    return "\n".join(texts)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
