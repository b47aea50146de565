"""Bodies of slash commands in exports that lost the mark of a text that a program wrote."""

from collections.abc import Iterable, Iterator
from typing import Final

from swe_together.pipeline.sessions._model import Call, Event, Human, Notice, Reply

_LOCAL: Final = frozenset(
    {"/add-dir", "/agents", "/bashes", "/bug", "/clear", "/compact", "/config", "/context", "/copy", "/cost",
     "/doctor", "/effort", "/exit", "/export", "/fast", "/feedback", "/fork", "/help", "/hooks", "/ide",
     "/keybindings", "/login", "/logout", "/mcp", "/memory", "/model", "/permissions", "/plan", "/plugin",
     "/privacy-settings", "/quit", "/reload-plugins", "/remote-control", "/rename", "/resume", "/rewind",
     "/sandbox", "/skills", "/stats", "/status", "/statusline", "/tasks", "/terminal-setup", "/theme",
     "/todos", "/upgrade", "/usage", "/vim"}
)  # fmt: skip
"""Commands of the program itself: no prompt of them is sent to the agent."""


class Expansions:
    """Takes events in order. The message right after a slash command is the command's body, not typed."""

    def __init__(self) -> None:
        self._awaited = False

    def told(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events, with such a message as a notice."""
        for event in events:
            if isinstance(event, Reply | Call):
                self._awaited = False
            elif isinstance(event, Notice) and event.kind == "local-command":
                self._awaited = event.text.startswith("/") and event.text not in _LOCAL
            elif isinstance(event, Human) and event.channel == "command":
                self._awaited = event.command not in _LOCAL
            elif isinstance(event, Human) and event.channel == "typed" and self._awaited:
                self._awaited = False
                yield Notice(record=event.record, at=event.at, kind="expansion", text=event.text)
                continue
            yield event
