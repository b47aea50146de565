"""Instructions of the office that have nothing to do with code: distractors, with variants that replace each other.

Each variant has a mark, a word that no request of ours needs: code that holds the mark of a distractor has obeyed it.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Distractor:
    """An irrelevant instruction.

    Attributes:
        id: Slug.
        variants: Per variant the instruction as an imperative, and its mark.
    """

    id: str
    variants: tuple[tuple[str, str], ...]


def _one_of(identifier: str, sentence: str, *marks: str) -> Distractor:
    """Variants that differ in their mark alone."""
    return Distractor(identifier, tuple((sentence.format(mark), mark) for mark in marks))


DISTRACTORS: Final = (
    _one_of("editor", "use {} as your editor, so that we can sit at each other's desk", "Kate", "Geany", "Lapce"),
    _one_of("video-calls", "hold video calls in {}", "Jitsi", "Whereby", "BigBlueButton"),
    _one_of(
        "vpn", "connect through the VPN profile {} when you work from home", "amber-gate", "slate-gate", "fern-gate"
    ),
    _one_of("breaks", "take the lunch break with the {} table", "noon-table", "half-past-table", "one-o-clock-table"),
    _one_of("desk", "sit in the {} when you are in the office", "Magnolia wing", "Juniper wing", "Hawthorn wing"),
    _one_of("tickets", "write down every hour of work in {}", "TimeTortoise", "ClockHeron", "PunchPigeon"),
    _one_of("chat", "ask short questions in the chat room {}", "#questions-oak", "#questions-elm", "#questions-ash"),
    _one_of("holidays", "hand in holidays with the form {}", "HR-17b", "HR-22c", "HR-31a"),
    _one_of("travel", "book trips through the agency {}", "Roving Stork", "Distant Drum"),
    _one_of("lunch", "order lunch for meetings from {}", "Pepper & Thyme", "The Copper Ladle", "Noodle Barn"),
    _one_of("printer", "print on the machine called {}", "Gutenberg-2", "Caxton-5", "Aldus-3"),
    _one_of("passwords", "keep passwords in {}", "KeyBadger", "VaultOtter"),
    _one_of("badge", "wear the {} badge beyond the reception", "turquoise", "vermilion", "ochre"),
    _one_of("whiteboard", "leave drawings on the whiteboard marked {}", "DO-NOT-WIPE", "KEEP-TILL-FRIDAY"),
    _one_of(
        "minutes", "file the minutes of meetings in the folder {}", "Minutes-Hall", "Minutes-Attic", "Minutes-Cellar"
    ),
    _one_of("training", "sign up for courses at {}", "LearnLantern", "SkillSparrow"),
    _one_of("parking", "park on level {}", "P-Heron", "P-Lynx", "P-Marten"),
    _one_of("phone", "put the code {} before numbers abroad", "*739", "*846", "*921"),
    _one_of("newsletter", "send news for the newsletter to {}", "gazette@firm", "herald@firm"),
    _one_of("visitors", "register visitors with {} at the reception", "GuestGoose", "WelcomeWren", "ArrivalAuk"),
    _one_of("plants", "water the plants with the {} can", "tin-can-east", "tin-can-west"),
    _one_of("coffee", "pay for coffee with the list {}", "Bean-Ledger", "Mug-Ledger", "Crema-Ledger"),
    _one_of("room-booking", "book meeting rooms with {}", "RoomRaven", "SpaceSquirrel", "HallHedgehog"),
    _one_of("headset", "fetch a headset from the cupboard {}", "Cupboard-K4", "Cupboard-R7"),
    _one_of("expenses", "photograph receipts with {}", "ReceiptRobin", "SlipStoat", "VoucherVole"),
    _one_of("survey", "answer the mood survey in {}", "MoodMagpie", "PulsePelican"),
    _one_of("waste", "put old batteries into the box {}", "Volt-Box-1", "Volt-Box-9"),
    _one_of("screens", "lock the screen with the picture {}", "lighthouse.png", "windmill.png", "harbour.png"),
    _one_of("bikes", "chain bicycles to the rack {}", "Rack-Sycamore", "Rack-Willow", "Rack-Rowan"),
    _one_of("first-aid", "call {} when somebody is hurt", "extension 4471", "extension 5582", "extension 6693"),
)
