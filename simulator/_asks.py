"""Whether a reply ends by asking the user something.

Decided by the form of the reply's end, in code and without a model, so that it is the same for every agent: a last
sentence with a question mark, or one that asks by its words ("let me know which", "please confirm"). Code, quotations,
addresses and headings are not looked at, and polite closing formulas ("let me know if you have questions") ask nothing.
"""

from typing import Any

import re2

from swe_together.simulator._patterns import encode

_TAIL_CHARS = 4_000
_CLOSING_SENTENCES = 2
"""How many sentences at the end may ask by words alone; a question in front of them is an explanation's."""


def _words(*alternatives: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(f"(?i)(?:{'|'.join(alternatives)})", options)


_NOISE = _words(r"`[^`\n]*`", r"\bhttps?://\S+", r"!?\[[^\]]*\]\([^)]*\)", r"<!--.*?-->")
_QUOTED = _words(
    r'"[^"\n]{0,300}"', r"“[^”\n]{0,300}”", r"«[^»\n]{0,300}»", r"„[^“”\n]{0,300}[“”]", r"「[^」\n]{0,300}」"
)
_FENCES = ("```", "~~~")
_LIST_ITEM = _words(r"^\s*(?:[-*+•–]|\(?[0-9a-z]{1,2}[.)])\s+")
_SIGN_OFF = _words(
    r"^\W*(?:thanks?(?: you)?(?: again| so much| in advance)?|cheers|best(?: regards)?|regards|happy coding"
    r"|danke(?: schön)?|merci(?: d'avance)?|gracias|谢谢|ありがとうございます)\W*$"
)
_SENTENCE_END = _words(r"[.!?…]+[\"'”’»)\]*_]*(?:\s+|$)", r"[。！？]+[」』）]*\s*", r"\n")
_QUESTION_MARK = _words(r"[?？][\s\"'”’»)\]）」』*_!\p{So}\x{FE0F}]*$")
_TO_THE_USER = _words(
    r"\b(?:(?:shall|should|may) (?:i|we)|(?:can|could) i)\b",
    r"\b(?:would|could|can) you\b",
    r"\b(?:do you (?:want|need|prefer|have|think|agree|mind|see))\b",
    r"\b(?:are you (?:ok|okay|fine|happy|sure)|did you (?:mean|want))\b",
    r"\byou(?:'d| would| want| like| prefer| think| rather)\b",
    r"\byour? (?:preference|thoughts|opinion|call|choice|intention)",
    r"\b(?:want|need|like) me to\b",
    r"\b(?:ok|okay|fine|alright) (?:to|if|with)\b",
    r"\b(?:sound|look)s? (?:good|right|ok|okay|reasonable)\b",
    r"\b(?:any|which) (?:preference|option|one|of these|approach|version)\b",
    r"\b(?:soll(?:en)? (?:ich|wir)|darf ich|kann ich|möchte(?:st|n)|willst du|wollen sie)\b",
    r"\bist das (?:so )?(?:ok|in ordnung)",
    r"\b(?:dois-je|puis-je|doit-on|voulez-vous|veux-tu|souhaite[sz]?-(?:vous|tu)|préfér|est-ce que (?:je|tu|vous))",
    r"\b(?:quieres|quiere|deseas?|prefieres?|te parece|le parece|debo|puedo|le gustaría|te gustaría)\b",
    r"(?:你|您|需要我|要不要|是否需要|是否要|可以吗|好吗|行吗|要我)",
    r"(?:でしょうか|ますか|ませんか|ましょうか|よろしいですか|いいですか)",
)
_ASKS_BY_WORDS = _words(
    r"\b(?:let (?:me|us)|lemme) know (?:if|whether|which|how|what|when|where|who|your|once|and i)\b",
    r"\btell (?:me|us) (?:if|whether|which|how|what|when|where|your)\b",
    r"\bplease (?:confirm|advise|clarify|choose|pick|specify|decide|approve|let me know|tell me|reply|answer)\b",
    r"\bplease (?:provide|share|send|paste|give) (?:me |us )?(?:the|your|a|an|more|some|it)\b",
    r"^\W*(?:shall|should) (?:i|we)\b",
    r"^\W*(?:(?:do|would) you (?:want|like|prefer)|want me to)\b",
    r"\b(?:i(?:'m| am)? )?(?:await(?:ing)?|wait(?:ing)? (?:for|on)|need) your "
    r"(?:\w+ )?(?:confirmation|approval|input|answer|reply|response|decision|go-ahead|feedback|choice|permission)\b",
    r"\b(?:just say (?:yes|go)|say the word)\b",
    r"\b(?:sag(?:en sie|t)?|geben sie|gib|gebt)(?: (?:mir|uns|einfach|gern|gerne|kurz|bitte))* bescheid\b",
    r"\b(?:lass|lassen sie|lasst) (?:mich|uns) (?:bitte )?wissen\b",
    r"^\W*soll(?:en)? (?:ich|wir)\b",
    r"\bbitte (?:kurz )?(?:bestätig|um bestätigung|um rückmeldung|entscheide|wähle)",
    r"\b(?:dites|dis)-(?:moi|nous) (?:si|quel|quelle|comment|ce que)\b",
    r"\b(?:faites|fais)-(?:moi|le-moi) savoir\b",
    r"\b(?:veuillez|merci de|peux-tu|pouvez-vous) (?:me )?(?:confirmer|préciser|choisir|indiquer)\b",
    r"\b(?:av[ií]s(?:ame|eme|enme)|avísame|avíseme|dime|dígame|hazme saber|hágame saber|háganme saber)\b",
    r"\b(?:por favor,? )?(?:confirma|confirme|confírmame|indícame|indíqueme)(?: (?:si|que|qué|cuál)\b|[.!]|$)",
    r"(?:请|請)(?:您|你)?(?:确认|確認|告诉我|告訴我|告知|选择|選擇|指示|回复|说明)",
    r"(?:是否需要我|需要我.{0,40}吗|要不要我|(?:可以|好|行|对)吗[。！]?$)",
    r"(?:教えて|知らせて|お知らせ|お聞かせ|ご確認|ご指示|ご連絡|お申し付け)(?:ください|下さい|いただけ|頂け)",
    r"(?:でしょうか|ますか|ませんか|ましょうか|ですか)[。！]?$",
)
_FORMULA = _words(
    r"\bif (?:you|there)(?:'ve| have|'s| is| are|'re)?(?: got)?(?: any| further| other| more)* "
    r"(?:questions?|concerns?|comments?|feedback|issues?|problems?|trouble)\b",
    r"\bif (?:you(?: need| want| would like|'d like| require| have)|there(?:'s| is)) "
    r"(?:any |some |further |more |additional )*(?:anything|something|help|assistance|changes?|adjustments?|else)\b",
    r"\bif (?:you )?(?:run into|hit|encounter|face|see|notice|find)\b",
    r"\bif (?:anything|something)\b",
    r"\b(?:falls|wenn) (?:du|sie|ihr|es|noch|etwas)(?: (?:noch|weitere|irgendwelche))* (?:fragen|probleme|etwas)\b",
    r"\bsi (?:vous avez|tu as|tiene|tienes)(?: d'autres| des| más| alguna| otra)* (?:questions?|preguntas?|dudas?)\b",
    r"(?:如有|如果有|有任何|有其他)(?:.{0,12})(?:问题|疑问)",
    r"(?:ご不明|ご質問|何かあれば|何かありましたら)",
)


def asks(reply: str) -> bool:
    """Whether the agent's reply ends by asking the user something.

    Args:
        reply: The agent's whole reply, Markdown or plain; English, German, French, Spanish, Chinese and Japanese are
            understood without a question mark too.
    """
    paragraphs = _paragraphs(reply)
    while len(paragraphs) > 1 and _matches(_SIGN_OFF, " ".join(paragraphs[-1])):
        paragraphs.pop()
    if not paragraphs:
        return False
    last = paragraphs[-1]
    if _asks(last):
        return True
    # Choices are often listed below the question that they answer.
    is_list = all(_matches(_LIST_ITEM, line) for line in last)
    return is_list and len(paragraphs) > 1 and _asks(paragraphs[-2], final_only=True)


def _asks(lines: list[str], *, final_only: bool = False) -> bool:
    sentences = [part for line in lines for part in _sentences(_sub(_LIST_ITEM, line))]
    if not sentences:
        return False
    final = sentences[-1]
    if final_only:
        return _matches(_QUESTION_MARK, final.rstrip(":")) and _matches(_TO_THE_USER, final)
    if _matches(_QUESTION_MARK, final):
        return True
    if any(_matches(_QUESTION_MARK, sentence) and _matches(_TO_THE_USER, sentence) for sentence in sentences):
        return True
    closing = sentences[-_CLOSING_SENTENCES:]
    return any(_matches(_ASKS_BY_WORDS, sentence) and not _matches(_FORMULA, sentence) for sentence in closing)


def _paragraphs(reply: str) -> list[list[str]]:
    """The end of the reply's prose: lines by paragraph, without code, quotations and headings."""
    prose: list[str] = []
    fence = ""
    for line in reply.replace("’", "'").splitlines():
        bare = line.strip()
        if fence:
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
        elif bare.startswith(_FENCES):
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        else:
            prose.append("" if bare.startswith((">", "#")) else line)
    text = "\n".join(prose)[-_TAIL_CHARS:]
    text = _sub(_QUOTED, _sub(_NOISE, text, "x"), "x")
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        bare = line.strip().strip("*_ ").strip()
        if bare and any(char.isalnum() for char in bare):
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _sentences(line: str) -> list[str]:
    sentences = []
    data = encode(line)
    start = 0
    for match in _SENTENCE_END.finditer(data):
        sentences.append(data[start : match.end()].decode().strip())
        start = match.end()
    sentences.append(data[start:].decode().strip())
    return [sentence for sentence in sentences if any(char.isalnum() for char in sentence)]


def _matches(pattern: Any, text: str) -> bool:
    return pattern.search(encode(text)) is not None


def _sub(pattern: Any, text: str, replacement: str = "") -> str:
    return str(pattern.sub(encode(replacement), encode(text)).decode())
