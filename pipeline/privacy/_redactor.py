"""The redactor of a dataset: learns what is secret or personal in it, then writes it without."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from swe_together.pipeline.privacy._author_keys import mail_role
from swe_together.pipeline.privacy._branches import branch_of
from swe_together.pipeline.privacy._contexts import is_secret_name, is_secret_value
from swe_together.pipeline.privacy._cookies import is_cookie_name
from swe_together.pipeline.privacy._forge import LOGINS, Part, is_account_object, part_of
from swe_together.pipeline.privacy._known import Known
from swe_together.pipeline.privacy._model import Family, Finding, Policy, PrivacyError, Redacted, Report
from swe_together.pipeline.privacy._open import open_values
from swe_together.pipeline.privacy._paths import is_account, own_names
from swe_together.pipeline.privacy._people import is_beside
from swe_together.pipeline.privacy._personal import is_phone
from swe_together.pipeline.privacy._salt import Salt
from swe_together.pipeline.privacy._scan import Hit, Scanner

if TYPE_CHECKING:
    from swe_together.pipeline.sessions import Session

NESTING: Final = 200
"""Lists and mappings within each other that are walked."""
_ACCOUNT_KEY: Final = re.compile(r"(?i)(?:[a-z]+_)?(?:user_?name|login|logname)")
_PHONE_KEY: Final = re.compile(r"(?i)(?:[a-z]+_?)?(?:phone|mobile|telephone|fax)(?:_?number|_?no)?")
_AUTHOR_KEY: Final = re.compile(r"(?i)(?:author|maintainer|contributor|committer|creator|owner)s?")
_IN_COOKIES: Final = "cookie: "
"""Before the key of a mapping or the name of a pair that stands under a key for cookies."""
_NAME_KEYS: Final = ("name", "key", "Name", "Key", "variable", "env")


class Redactor:
    """Replaces secrets and personal data, the same value by the same placeholder, in whatever it is given.

    What was learnt from one text is replaced in all later ones, so give ``learn`` all of a dataset first. ``text``,
    ``json`` and ``session`` learn their own argument before they write it. Anything that can't be looked through
    raises ``PrivacyError``, and then nothing is given back.
    """

    def __init__(self, salt: Salt | None = None, policy: Policy | None = None) -> None:
        policy = policy or Policy()
        self.known = Known()
        for word in policy.hide:
            self.known.learn("hidden-word", "person", word.encode())
        self._scanner = Scanner(
            salt or Salt.fresh(),
            self.known,
            owners=frozenset(slug.partition("/")[0].lower().encode() for slug in policy.repositories),
            keep=frozenset(name.lower().encode() for name in policy.keep),
            seconds=policy.seconds,
        )

    def learn(self, value: Any) -> None:
        """Remember what is secret or personal in a text, a JSON value or a session."""
        _Walk(self._scanner, Report(), learning=True).value(_plain(value), "")

    def text(self, text: str, place: str = "") -> Redacted[str]:
        """A text without secrets and personal data."""
        self.learn(text)
        return self.apply(text, place)

    def json(self, value: Any, place: str = "") -> Redacted[Any]:
        """A JSON value (mappings, lists, strings, numbers) without them, in its keys as well."""
        self.learn(value)
        return self.apply(value, place)

    def session(self, session: "Session", place: str = "") -> Redacted["Session"]:
        """A session without them; times, identifiers and kinds stay."""
        self.learn(session)
        return self.apply(session, place)

    def apply(self, value: Any, place: str = "") -> Redacted[Any]:
        """As ``json`` or ``session``, with only what was learnt before: for the second pass over a stream."""
        report = Report()
        self._scanner.pictures.clear()
        walk = _Walk(self._scanner, report, learning=False)
        clean = walk.record(value, place) if dataclasses.is_dataclass(value) else walk.value(value, place)
        report.pictures = len(self._scanner.pictures)
        return Redacted(clean, report)

    def publish(self, files: Iterable[bytes], authors: frozenset[bytes]) -> None:
        """What was learnt and stands in one of these public files stays; ``authors`` as for ``open_values``."""
        self.known.publish(open_values(self.known, files, authors))

    def holds_known_secret(self, data: bytes) -> bool:
        """Whether any secret that was learnt stands in ``data`` as it is."""
        return self.known.secrets_in(data)


class _Walk:
    """One walk over a value, to learn from it or to copy it."""

    def __init__(self, scanner: Scanner, report: Report, *, learning: bool) -> None:
        self._scanner = scanner
        self._report = report
        self._learning = learning

    def value(self, value: Any, place: str, name: str = "", depth: int = 0) -> Any:
        """The value's copy. ``name`` is the key it stands under."""
        if isinstance(value, str):
            return self._string(value, place, name)
        if depth >= NESTING:
            raise PrivacyError(f"{place[:80] or 'the value'}: nested more than {NESTING} deep.", "Leave it out.")
        if isinstance(value, Mapping):
            return self._mapping(value, place, name, depth)
        if isinstance(value, list | tuple):
            return self._list(value, place, name, depth)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._number(value, place, name)
        if value is None or isinstance(value, bool):
            return value
        raise PrivacyError(f"{place or 'the value'}: a {type(value).__name__} is no JSON.", "Convert it first.")

    def record(self, value: Any, place: str) -> Any:
        """A copy of a dataclass, of whatever fields."""
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {
                f.name: self.record(getattr(value, f.name), f"{place} /{f.name}") for f in dataclasses.fields(value)
            }
            return dataclasses.replace(value, **fields)
        if isinstance(value, tuple):
            return tuple(self.record(item, f"{place}/{index}") for index, item in enumerate(value))
        if isinstance(value, datetime):
            return value
        return self.value(value, place)

    def _mapping(self, value: Mapping[Any, Any], place: str, name: str, depth: int) -> dict[str, Any]:
        clean: dict[str, Any] = {}
        lead = _IN_COOKIES if is_cookie_name(name) else ""
        account = self._login(value)
        mails = {r: _scalar(m) for k, m in value.items() if isinstance(m, str) and (r := mail_role(str(k))) is not None}
        described = next((value[k] for k in _NAME_KEYS if isinstance(value.get(k), str) and "value" in value), "")
        for key, item in value.items():
            if not isinstance(key, str):
                raise PrivacyError(f"{place or 'the value'}: a key is no text.", "Convert it first.")
            shown = self._string(key, f"{place} (key)", "")
            where = f"{place}/{shown[:80]}"
            if shown in clean:
                raise PrivacyError(f"{place or 'the value'}: two keys read the same once redacted.", "Report it.")
            if mails and isinstance(item, str) and is_beside(key, _scalar(item), mails):
                clean[shown] = self._known(item, where, "person-name", "person")
                continue
            part = part_of(key, _scalar(item), account) if account else None
            if part is not None:
                clean[shown] = self._part(item, where, part)
                continue
            under = lead + (described if key == "value" else key) if isinstance(item, str) else key
            clean[shown] = self.value(item, where, under, depth + 1)
        return clean

    def _login(self, value: Mapping[Any, Any]) -> bytes:
        """The login of a mapping that is an account of a forge and whose login goes; else nothing."""
        login = next((value[key] for key in LOGINS if isinstance(value.get(key), str)), None)
        if login is None or not self._scanner.goes(_scalar(login)):
            return b""
        values = {key: _scalar(item) for key, item in value.items() if isinstance(key, str)}
        return _scalar(login) if is_account_object(values) else b""

    def _part(self, item: Any, place: str, part: Part) -> Any:
        """A value of which a part goes with the login beside it; a number stays a number."""
        start, end, kind, family = part
        data = _scalar(item)
        if self._learning:
            self._scanner.known.learn(kind, family, data[start:end])
            return self.value(item, place)
        new, hit = self._scanner.hit(kind, family, data[start:end])
        self._note(place, hit)
        if not isinstance(item, str):
            return int(new)
        return self._string((data[:start] + new + data[end:]).decode("utf-8", "surrogatepass"), place, "")

    def _list(self, value: list[Any] | tuple[Any, ...], place: str, name: str, depth: int) -> list[Any]:
        clean = []
        flag = ""
        for index, item in enumerate(value):
            clean.append(self.value(item, f"{place}/{index}", flag or name, depth + 1))
            flag = _flag(item)
        return clean

    def _string(self, text: str, place: str, name: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        if name and self._is_secret(name, data):
            return self._known(text, place, "secret", "secret")
        if name and _ACCOUNT_KEY.fullmatch(name) and is_account(data, self._scanner.known.own):
            return self._known(text, place, "account-name", "account")
        phone = name and _PHONE_KEY.fullmatch(name) and is_phone(data)
        if phone and not self._scanner.known.is_public("phone", data):
            return self._known(text, place, "phone", "phone")
        lead = _lead(name, data)
        try:
            if self._learning:
                self._scanner.learn(lead + data)
                if name and (b"/" in data or b"\\" in data):
                    self._learn_key(name, data)
                return text
            clean, hits = self._scanner.redact(lead + data)
        except PrivacyError as error:
            raise PrivacyError(f"{place or 'the text'}: {error.message}", error.remedy) from None
        for hit in hits:
            self._note(place, hit)
        return clean[len(lead) :].decode("utf-8", "surrogatepass") if hits else text

    def _learn_key(self, name: str, data: bytes) -> None:
        """What a key alone says of its value: a branch, or the home of whoever recorded this."""
        branch = branch_of(name, data)
        if branch is not None:
            self._scanner.known.learn_branch(branch)
        for own in own_names(data, name):
            self._scanner.known.learn_own(own)

    def _number(self, value: float, place: str, name: str) -> Any:
        text = str(value)
        return self._known(text, place, "secret", "secret") if name and self._is_secret(name, text.encode()) else value

    def _is_secret(self, name: str, data: bytes) -> bool:
        """Whether a value is a secret by its key, and nobody can read it elsewhere."""
        key = _scalar(name)
        secret = is_secret_name(key) and is_secret_value(key, data, quoted=True)
        return secret and not self._scanner.known.is_public("secret", data)

    def _known(self, text: str, place: str, kind: str, family: Family) -> str:
        """Replace a value as a whole, for what its surroundings say."""
        data = text.encode("utf-8", "surrogatepass")
        if self._learning:
            # A token of a known shape keeps its own kind: it is learnt first.
            self._scanner.learn(data)
            self._scanner.known.learn(kind, family, data)
            return text
        new, hit = self._scanner.hit(kind, family, data)
        self._note(place, hit)
        return new.decode("ascii")

    def _note(self, place: str, hit: Hit) -> None:
        where = f"{place} ({hit.where})" if hit.where else place
        digest = self._scanner.salt.digest(hit.value)
        self._report.findings.append(Finding(where, hit.kind, hit.family, digest, hit.length))


def _scalar(value: Any) -> bytes:
    """A text or a whole number as bytes; nothing for any other value."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return str(value).encode() if isinstance(value, int) and not isinstance(value, bool) else b""


def _flag(item: Any) -> str:
    """The name that an item of a list gives to the next: a flag, or a header for cookies."""
    if not isinstance(item, str):
        return ""
    if is_cookie_name(item):
        return item
    return item.lstrip("-") if item.startswith("-") and "=" not in item else ""


def _lead(name: str, data: bytes) -> bytes:
    """What stands before a value in a text that says the same as its key: rules for texts then hold for it too."""
    if not name:
        return b""
    if name.startswith(_IN_COOKIES):
        return name.encode("utf-8", "surrogatepass") + b"="
    if is_cookie_name(name):
        return b"set-cookie: "
    return b'"author": "' if b"<" in data and _AUTHOR_KEY.fullmatch(name) else b""


def _plain(value: Any) -> Any:
    """A session as mappings and lists; anything else as it is."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime) else value


def redact_text(text: str, redactor: Redactor | None = None) -> Redacted[str]:
    """One text, with a salt of its own unless a redactor is given."""
    return (redactor or Redactor()).text(text)


def redact_json(value: Any, redactor: Redactor | None = None) -> Redacted[Any]:
    """One JSON value, with a salt of its own unless a redactor is given."""
    return (redactor or Redactor()).json(value)


def redact_session(session: "Session", redactor: Redactor | None = None) -> Redacted["Session"]:
    """One session, with a salt of its own unless a redactor is given."""
    return (redactor or Redactor()).session(session)
