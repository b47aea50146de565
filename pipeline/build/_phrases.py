"""What people say to a coding agent, by language: the common words that tell a correction from a question or praise.

English and the languages that recorded sessions are held in most. A session in another one is told by its signs alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from swe_together.simulator.guards import detect

ENGLISH: Final = "en"


@dataclass(frozen=True, slots=True)
class Phrases:
    """Patterns on a whole message, and sentences that a draft says itself.

    Attributes:
        corrects: Something is wrong.
        verifies: It is to be run or checked.
        workflow: How to go on.
        approves: Praise; it counts only in a short message.
        asks: A question, where the sign is missing.
        requests: A question in form, and a request.
        mends: The first message wants something mended.
        missing: What is said of a ``{path}`` that isn't there.
        whatever: Answers any question of the agent, without giving anything away.
    """

    corrects: re.Pattern[str]
    verifies: re.Pattern[str]
    workflow: re.Pattern[str]
    approves: re.Pattern[str]
    asks: re.Pattern[str]
    requests: re.Pattern[str]
    mends: re.Pattern[str]
    missing: str
    whatever: str


def language_of_messages(texts: Iterable[str]) -> str:
    """Two letters of the language that most messages are held in; English where none tells."""
    told = list(texts)
    found = Counter(filter(None, map(detect, told)))
    return found.most_common(1)[0][0] if found else detect("\n".join(told)) or ENGLISH


def phrases_for(text: str, language: str) -> list[Phrases]:
    """What to try on a message of a session, best first.

    A message that is surely in one language is read in it alone: words of one mean something else in another. A short
    one may be in the session's language or in English, which everybody types.
    """
    own = detect(text)
    names = [own] if own is not None else [language, ENGLISH]
    return [PHRASES[name] for name in dict.fromkeys(names) if name in PHRASES]


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_EN: Final = Phrases(
    corrects=_any(
        r"^(?:no\b(?! problem)|nope\b|wrong\b|that'?s (?:not|wrong)|not what\b|don'?t\b|stop\b|undo\b|revert\b|wait\b|"
        r"actually\b|instead\b|still\b|why (?:did|are|do) you\b|hm+\b)",
        r"\b(?:still (?:not|fails?|broken|wrong|missing|the same|there|doesn'?t|does not)|doesn'?t work|does not work|"
        r"didn'?t work|not working|is broken|is wrong|are wrong|you (?:broke|forgot|missed|removed|deleted)|"
        r"shouldn'?t|should not|i (?:didn'?t|did not) (?:ask|want)|you were (?:not )?supposed)\b",
    ),
    verifies=_any(
        r"^(?:(?:ok(?:ay)?|and|now|please|pls|then|also|so|can you|could you)[,\s]+)*"
        r"(?:re-?run|run|check|verify|test|try|confirm|double[- ]check|make sure|validate)\b"
    ),
    workflow=_any(
        r"^(?:(?:ok(?:ay)?|great|good|nice|perfect|yes|yep|sure|now|please|and|then|let'?s|lets|so)[,.!\s]+)*"
        r"(?:continue|go ahead|go on|go for it|proceed|resume|keep going|do it|do that|do so|yes|yep|yeah|y|sure|commit"
        r"|push|merge|rebase|open a pr|create a pr|make a pr)\b"
    ),
    approves=_any(
        r"^(?:ok(?:ay)?|great|perfect|nice|thanks?|thank you|lgtm|looks good|good(?: job| work)?|awesome|excellent|"
        r"cool|"
        r"wow|love it|works|that works|well done)\b[\s.!,:)]*"
    ),
    asks=_any(
        r"^(?:(?:and|but|so|ok(?:ay)?|hm+|also)[,\s]+)*(?:what|why|how|where|when|which|who|is|are|was|were|does|do|did"
        r"|has|have|should|would|will)\b"
    ),
    requests=_any(r"^(?:(?:and|so|ok(?:ay)?)[,\s]+)*(?:can|could|would|will) (?:you|we)\b"),
    mends=_any("fix", "bug", "broken", "crash", "error", "fails", "wrong"),
    missing="{path} is still missing",
    whatever="whatever you think is best",
)
_ZH: Final = Phrases(
    corrects=_any(
        r"^(?:不对|不是|不行|不要|别(?!忘|的)|错了|停|等等|等一下|撤销|撤回|回退|还原|改回|我没|我不|还是|依然|仍然)",
        r"(?:还是(?:不|没|报错|有问题)|依然(?:不|没|报错)|仍然(?:不|没|报错)|不起作用|没有?(?:生效|效果|作用)|没用|"
        r"不工作|用不了|不能用|打不开|坏了|"
        r"报错了?|又(?:坏|错|不)|搞错|弄错|写错|改错|理解错|(?<!别)忘了|漏了|漏掉|少了|你(?:怎么|为什么)(?:又|把|删|改|"
        r"没)|"
        r"不应该|不该|不需要这|我(?:没|不)(?:让|要|想))",
    ),
    verifies=_any(
        r"^(?:(?:好的?|那|现在|然后|请|再|帮我|麻烦)[，,\s]*)*(?:运行|跑一?下|跑测试|跑一遍|执行测试|测试一?下|检查|"
        r"验证|确认|试一?下|看一?下(?:是否|能否|有没有))"
    ),
    workflow=_any(
        r"^(?:(?:好的?|行|可以|嗯|对|那就?|没问题|是的?)[，,。！!\s]*)*(?:继续|开始吧|开始实施|接着|下一步|就这样做|"
        r"就这么做|按这个来|做吧|提交|推送|合并|"
        r"commit|push|提个\s*pr)",
        r"^(?:是的?|对的?|可以的?|行|嗯+|同意|没问题)[。！!，,\s]*$",
    ),
    approves=_any(
        r"^(?:(?:好的?|很好|太好了|非常好|不错|完美|谢谢|多谢|感谢|厉害|赞|棒|可以了|搞定了?|成功了|没问题了?)[，,。！!～\s]*)+\w{0,3}[。！!～\s]*$",
    ),
    asks=_any(
        r"(?:吗|呢|么)[。.！!\s]*$",
        r"^(?:为什么|为啥|怎么(?!办法)|如何|什么|哪|谁|何时|是不是|是否|有没有|能不能|可不可以|多少)",
        r"(?:是什么|什么意思|怎么回事|为什么|区别在哪)[。.\s]*$",
    ),
    requests=_any(
        r"^(?:(?:那|请问?|你|麻烦)[，,\s]*)*(?:能不能|能否|可否|可不可以|可以|能)(?:请|帮|给|把|再|先|也|加|改|让|将|"
        r"用|实现|添加|删|写)",
        r"^(?:请|帮我|麻烦)",
    ),
    mends=_any("修", "bug", "报错", "错误", "崩溃", "坏了", "失败", "不对"),
    missing="还缺 {path}",
    whatever="你觉得怎么好就怎么来",
)
_JA: Final = Phrases(
    corrects=_any(
        r"^(?:いや|いいえ|違(?:う|い|って)|ちが|だめ|ダメ|やめて|止めて|待って|戻して|元に戻|まだ|やっぱり|そうじゃ|"
        r"そうではな)",
        r"(?:動(?:かない|きません|いていない|いてない)|直って(?:い)?(?:ない|ません)|まだ(?:直|動|エラー|残|出)|"
        r"おかしい|間違(?:って|い|え)|壊れ|忘れて|"
        r"抜けて|足りな|消え(?:た|て)|エラーが(?:出|で)|しないで|変わ(?:らない|りません|っていない)|"
        r"頼んで(?:い)?(?:ない|ません)|べきでは(?:ない|ありません))",
    ),
    verifies=_any(
        r"^(?:(?:では|じゃあ|次に|もう一度|ok)[、,\s]*)*.{0,30}(?:テスト|ビルド|動作)?.{0,6}(?:を?(?:実行し|走らせ|"
        r"回し)て|(?:を|か)?(?:確認|検証|チェック)して|試して)"
    ),
    workflow=_any(
        r"^(?:(?:はい|ok|了解|では|じゃあ|それで|うん|いいね)[、,。！!\s]*)*(?:続けて|進めて|お願いします?[。！!\s]*$|"
        r"やって(?:ください)?[。！!\s]*$|コミット|プッシュ|"
        r"マージ|commit|push|次に進)",
        r"^(?:はい|ええ|うん|了解(?:です|しました)?|ok(?:です)?)[。！!\s]*$",
    ),
    approves=_any(
        r"^(?:ありがと|感謝|完璧|素晴らし|すばらし|いいね|いいです|良い(?:です|ね)|よい|よさそう|良さそう|すごい|最高|"
        r"助か|うまくいき|動きました|ばっちり).{0,15}$"
    ),
    asks=_any(
        r"(?:か|かな|の|でしょう)[。.\s]*$",
        r"^(?:なぜ|なんで|どうして|どう(?!か)|何|なに|どこ|いつ|どれ|どの|誰)",
    ),
    requests=_any(
        r"(?:して|てもら|ていただ|くれ|ください|もらえ|いただけ|くれます|できます)(?:ます|ません|ない)?か?[？?。\s]*$",
    ),
    mends=_any("修正", "直し", "バグ", "エラー", "壊れ", "動かな", "失敗"),
    missing="{path} がまだありません",
    whatever="お任せします",
)
_ES: Final = Phrases(
    corrects=_any(
        r"^(?:no\b(?! hay problema)|mal\b|incorrecto\b|para\b(?! )|alto\b|espera\b|deshaz|revierte|sigue\b|"
        r"todav[ií]a\b|a[uú]n\b|"
        r"en realidad\b|por qu[eé] (?:has|hiciste|borraste|quitaste|cambiaste)\b|en vez de\b)",
        r"\b(?:no funcion[aó]\w*|no sirve|sigue (?:sin|fallando|igual|roto|mal)|est[aá]n? (?:mal|roto|rota)|"
        r"(?:te )?(?:has )?olvida(?:ste|do)|"
        r"has (?:roto|borrado|quitado)|rompiste|borraste|quitaste|no deber[ií]as?|no (?:te )?ped[ií]|no quer[ií]a|"
        r"falta todav[ií]a|"
        r"todav[ií]a (?:falla|falta|no|sale)|vuelve a dejar)\b",
    ),
    verifies=_any(
        r"^(?:(?:ok|vale|y|ahora|por favor|luego|tambi[eé]n|puedes)[,\s]+)*(?:ejecuta|corre|comprueba|verifica|revisa|"
        r"prueba|"
        r"confirma|aseg[uú]rate|valida|ejecutar|comprobar|probar)\b"
    ),
    workflow=_any(
        r"^(?:(?:ok|vale|bien|perfecto|genial|s[ií]|claro|ahora|por favor|y|de acuerdo)[,.!\s]+)*(?:contin[uú]a|"
        r"sigue(?: adelante)?[.!\s]*$|"
        r"adelante|hazlo|procede|commit|push|s[ií]|claro|vale|de acuerdo|haz (?:el |un )?(?:commit|push|merge|pr)|"
        r"sube los cambios)(?:\b|$)"
    ),
    approves=_any(
        r"^(?:gracias|muchas gracias|perfecto|genial|excelente|estupendo|muy bien|bien hecho|buen trabajo|funciona|"
        r"ahora s[ií]|me gusta|vale)\b"
    ),
    asks=_any(
        r"^¿",
        r"^(?:(?:y|pero|entonces)[,\s]+)*(?:qué|que (?:es|son|hace|pasa|significa)|por qu[eé]|cómo|como (?:se|puedo|"
        r"funciona|hago)|d[oó]nde|cu[aá]ndo|cu[aá]l(?:es)?|qui[eé]n|"
        r"cu[aá]nt[oa]s?)\b(?! te parece si)",
    ),
    requests=_any(
        r"^¿?(?:(?:y|ok|vale)[,\s]+)*(?:me )?(?:puedes|podr[ií]as|podemos|podr[ií]amos|quieres|te importa)\b",
    ),
    mends=_any("arregl", "corrig", "corrij", "bug", "error", "fall", "roto", "mal"),
    missing="todavía falta {path}",
    whatever="como te parezca mejor",
)
_DE: Final = Phrases(
    corrects=_any(
        r"^(?:nein\b|nee\b|nö\b|falsch\b|stop+\b|halt\b|warte\b|moment\b|nicht\b|doch nicht\b|eigentlich\b|"
        r"stattdessen\b|immer noch\b|"
        r"mach (?:das |es )?(?:wieder )?rückgängig|warum (?:hast|machst|löschst) du\b|das (?:ist|war) (?:falsch|"
        r"nicht)\b|hm+\b)",
        r"\b(?:immer noch (?:nicht|falsch|kaputt|da|ein|der|die|das)|(?:geht|funktioniert|klappt|läuft|stimmt|"
        r"passt) (?:\w+ ){0,2}nicht|"
        r"kaputt|(?:ist|sind|war) (?:\w+ )?falsch|du hast (?:.{0,40}\b)?(?:vergessen|gelöscht|entfernt|kaputt|"
        r"übersehen)|"
        r"solltest? (?:du )?nicht|wollte ich nicht|(?:habe|hab) ich nicht|fehlt (?:immer )?noch|"
        r"schlägt (?:immer )?noch fehl)\b",
    ),
    verifies=_any(
        r"^(?:(?:ok(?:ay)?|und|jetzt|bitte|dann|auch|nun|kannst du)[,\s]+)*(?:teste|prüfe?|überprüfe?|verifiziere|"
        r"kontrolliere|probiere?|"
        r"stell(?:e)? sicher|(?:führe?|lass) .{0,40}\b(?:tests?|aus|laufen))\b"
    ),
    workflow=_any(
        r"^(?:(?:ok(?:ay)?|gut|super|perfekt|ja|klar|jetzt|bitte|und|dann|prima)[,.!\s]+)*(?:weiter|"
        r"mach(?:e)? (?:weiter|das|es so|mal)[.!\s]*$|"
        r"fahr(?:e)? fort|leg los|ja|jep|klar|genau|einverstanden|commit\w*|push\w*|merge\w*|committe)(?:\b|$)"
    ),
    approves=_any(
        r"^(?:danke|vielen dank|super|perfekt|prima|toll|klasse|sehr gut|gut(?: gemacht)?|passt|funktioniert|klappt|"
        r"läuft|sieht gut aus|schön)\b"
    ),
    asks=_any(
        r"^(?:(?:und|aber|also|ok(?:ay)?)[,\s]+)*(?:was|warum|wieso|weshalb|wie|wo|wann|welche[rsnm]?|wer|wozu|ist|"
        r"sind|war|gibt es|hat|"
        r"haben|soll(?:en|te)?|wird|werden|kann man)\b"
    ),
    requests=_any(
        r"^(?:(?:und|ok(?:ay)?|bitte)[,\s]+)*(?:kannst|könntest|können|könnten|würdest|willst) (?:du|wir|sie)\b",
    ),
    mends=_any("fix", "bug", "kaputt", "absturz", "fehler", "falsch", "behebe", "repariere"),
    missing="{path} fehlt immer noch",
    whatever="mach, wie du es für richtig hältst",
)
_FR: Final = Phrases(
    corrects=_any(
        r"^(?:non\b|faux\b|pas\b|stop\b|arr[eê]te\b|attends?\b|annule\b|reviens\b|en fait\b|plut[oô]t\b|toujours\b|"
        r"encore\b(?! une fois)|"
        r"pourquoi (?:as-tu|tu as|t'as|avez-vous)\b|ce n'est pas\b|c'est (?:pas|faux)\b|ne\b|n'\w)",
        r"\b(?:(?:ne )?(?:marche|fonctionne|passe) (?:toujours |encore |plus )?pas|(?:marche|fonctionne) plus|"
        r"toujours (?:pas|cass[eé]|la m[eê]me|une erreur|l'erreur)|"
        r"(?:est|sont) (?:cass[eé]e?s?|faux|fausse|incorrecte?s?)|(?:tu as|t'as|vous avez) (?:oubli[eé]|cass[eé]|"
        r"supprim[eé]|effac[eé]|enlev[eé])|"
        r"ne (?:devrais|devrait|devrions|fallait)|je n'ai pas demand[eé]|je ne (?:voulais|veux) pas|"
        r"il manque (?:encore|toujours))(?:\b|$)",
    ),
    verifies=_any(
        r"^(?:(?:ok|et|maintenant|s'il te pla[iî]t|stp|puis|alors|aussi|peux-tu|tu peux)[,\s]+)*(?:v[eé]rifie[rz]?|"
        r"teste[rz]?|lance[rz]? (?:les )?tests?|"
        r"ex[eé]cute[rz]? |essaie|essaye|confirme[rz]?|assure-toi|relance)(?:\b|(?<= ))"
    ),
    workflow=_any(
        r"^(?:(?:ok|bien|super|parfait|oui|d'accord|maintenant|et|alors)[,.!\s]+)*(?:continue|vas-y|allez-y|poursuis|"
        r"proc[eè]de|fais-le|oui|ouais|"
        r"d'accord|bien s[uû]r|commit\w*|push\w*|merge\w*|pousse)(?:\b|$)"
    ),
    approves=_any(
        r"^(?:merci|parfait|super|g[eé]nial|excellent|tr[eè]s bien|bien jou[eé]|nickel|[cç]a marche[\s.!]*$|c'est bon|"
        r"impeccable|bravo|top)(?:\b|$)"
    ),
    asks=_any(
        r"^(?:(?:et|mais|donc|alors)[,\s]+)*(?:qu(?:e|oi|el|elle|els|elles|i)\b|qu'est|est-ce|pourquoi|comment|o[uù]\b|"
        r"quand|combien|y a-t-il)"
    ),
    requests=_any(
        r"^(?:(?:et|ok|donc)[,\s]+)*(?:est-ce que )?(?:tu peux|peux-tu|pourrais-tu|tu pourrais|pouvez-vous|"
        r"pourriez-vous|on peut|peut-on)\b"
    ),
    mends=_any("corrig", "répar", "bug", "cassé", "erreur", "plante", "échoue"),
    missing="il manque toujours {path}",
    whatever="fais comme tu le sens",
)
PHRASES: Final[Mapping[str, Phrases]] = {"en": _EN, "zh": _ZH, "ja": _JA, "es": _ES, "de": _DE, "fr": _FR}
