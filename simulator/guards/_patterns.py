"""Ways of speaking that give a simulated user away. Patterns, so that the same message is judged the same way."""

import re
from typing import Final

_WORK = (
    r"(?:implemented|refactored|rewritten|rewrote|fixed|added|updated|created|modified|adjusted|renamed|replaced"
    r"|removed|extracted|introduced|extended|simplified|cleaned up|handled|resolved|addressed|completed|finished)"
)
_OF_THE_CODE = (
    r"(?:it\b|this\b|that\b|all\b|everything|(?:the|a|an|your|some|two|three|unit|new|more|both|several)\s(?!"
    r"(?:\w+\s){0,2}(?:log|logs|screenshot|screenshots|trace|traceback|example|sample|output|second file|typo)\b)"
    r"|tests?\b|support\b|handling\b|code\b|functions?\b|`)"
)
_ON_MY_SIDE = r"(?!.{0,60}\b(?:myself|on my (?:side|machine|end|laptop)|locally|in my (?:own )?\w+)\b)"
_DO = (
    r"(?:implement|fix|add|update|refactor|create|write|rename|replace|remove|extend|investigate|work on|look into"
    r"|make (?:the|this|that|these|those) changes?|take care of (?:it|that|this)|get (?:right )?on (?:it|that)"
    r"|proceed|start (?:by|with|working)|begin (?:by|with)|run the (?:tests?|test suite|suite))"
)

ROLE: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        # reports work that only the agent can have done
        r"\b(?:i|we)(?:'ve| have| had)?(?: (?:now|just|also|already|successfully))* "
        rf"{_WORK} {_OF_THE_CODE}{_ON_MY_SIDE}",
        r"\A\W*(?:all )?(?:done|fixed|updated|committed)[.!:]\s+(?!now\b|but\b|next\b|and\b)\w",
        r"\bhere(?:'s| is) (?:a|the) summary\b|^\W*summary of (?:the |my )?changes\b",
        r"^#+\s*(?:summary of (?:the )?changes|changes made|what (?:i|was) (?:did|done|changed))",
        r"\b(?:as|per|following) (?:you(?:r)? )?(?:request(?:ed)?|instruct(?:ed|ions?))\b(?! by)",
        r"^\W*here(?:'s| is| are) (?:the|a|an|your) (?:updated|fixed|revised|corrected|complete|new|final|full)\b",
        # announces or offers work
        rf"\b(?:i'll|i will|i am going to|i'm going to|i can)(?: (?:now|go ahead and|also|then|first))* {_DO}\b"
        r"(?!.{0,40}\bmyself\b)",
        rf"\blet me (?:now |first |quickly |also |go ahead and )*(?:{_DO[3:-1]}|(?:take a look|look) at the code)\b",
        r"\b(?:would you like|do you want|want|need) me to\b",
        rf"\b(?:shall|should) i (?:now |also |go ahead and |go ahead|{_DO[3:-1]}|continue\b)",
        r"\bhow (?:can|may) i (?:help|assist)\b",
        r"\b(?:i'm|i am|i'd be|i would be) (?:happy|glad|here) to (?:help|assist|do|make|continue)\b",
        r"\blet me know if (?:you(?:'d| would)? (?:have|need|want|like)|there(?:'s| is) any)\b",
        r"\bif you (?:have any|need (?:any|more|further)) (?:other |further |more )?"
        r"(?:questions?|help|assistance|changes)",
        r"\bfeel free to (?:ask|reach out|let me know)\b",
        r"\bis there anything else (?:i can|you(?:'d| would)? (?:like|need|want))\b",
        r"\bhope (?:this|that) helps\b",
        # speaks with an assistant's manners
        r"\byou(?:'re| are) (?:very |most )?welcome\b",
        r"\byou(?:'re| are) absolutely right\b",
        r"\bas an? (?:ai|artificial intelligence|language model|assistant|coding agent)\b",
        r"\b(?:i'm|i am) (?:an ai|a language model|an assistant|your (?:ai |coding )?assistant)\b",
        r"\bi (?:can't|cannot|can not|am unable to|'m unable to) (?:help|assist|comply|fulfill|fulfil)\b",
        r"\b(?:sorry|apologi[sz]e)\b.{0,20}\bbut i (?:can't|cannot|am unable)\b",
        r"\b(?:i )?apologi[sz]e for (?:the|any|this|my) (?:confusion|oversight|error|mistake|inconvenience)\b",
        r"^\W*(?:great|good|excellent) question\b",
        r"^\W*(?:sure|certainly|of course|absolutely)[,!.]? (?:i(?:'ll| will| can)\b|here(?:'s| is)\b|let me\b)",
        # thanks itself
        r"\bthank(?:s| you)(?: so much| very much)? for (?:(?:the|your) (?:feedback|patience|request|question|message"
        r"|clarification|report|input)|pointing|bringing|clarifying|reporting|letting me know|your)\b",
        r"\bthank(?:s| you),? (?:user|human)\b",
        # the same in other languages
        r"\bich habe .{0,80}\b(?:hinzugefügt|implementiert|behoben|angepasst|aktualisiert|umgesetzt|korrigiert"
        r"|umbenannt|entfernt|ergänzt)\b" + r"(?!.{0,40}\bselbst\b)",
        r"\bsoll ich (?:noch |auch |das |die |den |jetzt )*\w+",
        r"\b(?:gern geschehen|gerne helfe ich|wie kann ich (?:dir|ihnen|euch) helfen)\b",
        r"\bj'ai (?:ajouté|corrigé|mis à jour|implémenté|modifié|renommé|supprimé|refactorisé)\b",
        r"\b(?:voulez-vous|veux-tu|souhaite[sz]-(?:vous|tu)) que je\b|\bn'hésite[sz]? pas\b",
        r"\bhe (?:añadido|corregido|actualizado|implementado|modificado|eliminado|renombrado)\b",
        r"¿(?:quieres|quiere|deseas?) que\b|\bno dudes? en (?:preguntar|decirme)\b",
        r"我(?:已经|已|刚刚|刚)?(?:修复|添加|更新|实现|修改|完成|重构|删除)了",
        r"需要我|(?:如果|如)有(?:任何|其他)?(?:问题|疑问)|很高兴(?:为|能)",
        r"(?:修正|追加|実装|変更|更新|削除|対応)(?:いた)?しました.{0,40}(?:しましょうか|ください|でしょうか)|ご不明な点",
    )
)
"""The user speaks as the assistant."""

REASONING: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"</?(?:think|thinking|thought|reasoning|scratchpad|reflection|analysis|plan)>",
        r"\bas (?:the|a|this) (?:simulated )?user,? (?:i|we|my)\b",
        r"\bthe (?:simulated )?user (?:would|might|should|will|could) (?:now |probably |then )?(?:ask|say|reply|respond"
        r"|answer|send|push back|stay silent|want to (?:ask|say)|complain|leave)\b",
        r"\b(?:stay|staying|remain|keep) in character\b|\bmy character\b",
        r"\b(?:as|like) (?:the|my|this) persona\b",
        r"\bthe agent(?:'s| has| is| just)? (?:just |now |already )*(?:has |is )?(?:completed?|finished|done|asked?"
        r"|asking|replied|responded|waiting|waits|did)\b.{0,80}"
        r"\b(?:so|i (?:will|should|need|must)|i'll|next message)\b",
        r"\bsince the agent\b.{0,80}\bi (?:need|should|will|must|'ll)\b",
        r"\bi(?:'ll| will| should| must| need to|'d better)? (?:now )?(?:stay|remain|be|keep) (?:silent|quiet)\b",
        r"\bthe next message (?:should|is|will|would)\b",
        r"^\W*(?:action|reasoning|rationale|thought|thoughts|thinking|my decision|decision|final answer"
        r"|observation)\s*:",
        r"\"(?:action|choice|points)\"\s*:\s*[\"\[]",
        r"\b(?:no_op|new_requirement|check_external)\b",
        r"^\W*(?:okay|ok|hmm|alright|so|now),? (?:so )?the agent (?:did|has|is|just|seems|finished|completed)\b",
        r"\bi(?:'ll| will)? (?:choose|pick|select|go with) (?:the )?(?:no-op|no_op|action|option|silence)\b",
    )
)
"""The message holds the model's own deliberation."""

META: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), key)
    for pattern, key in (
        (r"\b(?:simulated user|user simulat\w+|simulation of (?:a|the) user)\b", ""),
        (r"\bswe-?(?:together|bench)\b", ""),
        (r"\bsession analysis\b", ""),
        (r"\b(?:my|the|this) persona\b", "persona"),
        (r"\b(?:according to|as per|per|following) (?:my|the) (?:instructions?|script|prompt|persona)\b", ""),
        (r"\bmy (?:script|prompt|system prompt|instructions?) (?:says?|tells?|wants?|asks?)\b", ""),
        (r"\bsystem prompt\b", "prompt"),
        (r"\b(?:this|the) benchmark\b", "benchmark"),
        (r"\bhidden (?:tests?|cases?|checks?)\b", "hidden"),
        (r"\b(?:the|this|your) rubric\b", "rubric"),
        (r"\breference (?:solution|patch|implementation)\b", "reference"),
        (r"\bground[- ]truth\b", "truth"),
        (
            r"\b(?:next|required|pending|remaining|eligible|open|last|first|this|that|another|my)(?: required)?"
            r" anchors?\b",
            "anchor",
        ),
        (r"\b(?:turn|round) (?:number )?\d+\b", "turn"),
        (r"\b(?:my|your|this|the|on my|in my) (?:next|previous|last|first|current) turn\b", "turn"),
    )
)
"""The user speaks of what it is made of. The word behind a pattern makes it harmless once the session has used it."""

PUSH: Final = re.compile(
    r"(?:(?:ok|okay|yes|good|great|fine|thanks|alright|please|now|then|and|just|so|gut|bitte|jetzt|bien|por favor"
    r"|好|请)[\s,.!:]*)*"
    r"(?:continue|go on|go ahead|keep (?:going|on)|proceed|carry on|next(?: (?:step|one|please))?|resume|keep it up"
    r"|(?:mach )?weiter(?:machen)?|fortfahren|fahr fort|continúa|continua|sigue|adelante|continue[zr]|poursuis|vas-y"
    r"|继续|请继续|繼續|続けて(?:ください)?|続行(?:してください)?)"
    r"(?:[\s,.!]*(?:please|now|then|with (?:the|your) (?:next step|rest|work|task|plan)|to the next step|bitte"
    r"|por favor|吧|working|going))*[\s.!…]*",
    re.IGNORECASE,
)
"""Nothing but a wish that the agent go on."""
