"""Frequent words by language. They tell languages apart, and they are not what a message is about."""

from typing import Final


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


BY_LANGUAGE: Final[dict[str, frozenset[str]]] = {
    "en": _set(
        "a about after again all also an and any are as at be because been before but by can cannot could did do does"
        " don down each for from get give had has have he her here him his how i if in into is it its just like make"
        " me more most my no nor not now of off on once only or other our out over own please really same she should"
        " since so some still such than thanks that the their them then there these they this those though through to"
        " too under until up us use very was we well were what when where whether which while who why will with"
        " would yes yet you your"
    ),
    "de": _set(
        "aber alle als also am an auch auf aus bei bin bis bitte da dabei damit dann das dass dem den denn der des die"
        " dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er erst es etwas euch für ganz"
        " gibt habe haben hast hat hier ich ihr im in ist ja jede jetzt kann kannst kein keine können man mehr mein"
        " meine mich mir mit muss müssen nach nicht nichts noch nur ob oder ohne schon sein sich sie sind so soll"
        " sollen sollte über um und uns unter vom von vor war warum was weil wenn werden wie wieder wir wird wo wurde"
        " zu zum zur zwei übrigens"
    ),
    "fr": _set(
        "à ai alors après au aussi autre aux avant avec avez avons bien c ce cela ces cet cette ceux chaque comme"
        " comment d dans de depuis des donc du elle elles en encore est et été être eu faire fait il ils ici j je jusqu"
        " l la là le les leur lui m ma mais me même mes mon n ne ni non nos notre nous on ont ou où par parce pas plus"
        " pour pourquoi qu quand que quel quelle qui quoi s sa sans se ses si son sont sur ta te tes toi ton tout toute"
        " toutes tous très tu un une va voici vos votre vous y"
    ),
    "es": _set(
        "a al algo antes aquí así aunque bien cada como cómo con cuál cuando cuándo de del desde donde dónde e el él"
        " ella ellos en entonces era es esa ese eso esta está están este esto estos fue ha hace hacer hasta hay la las"
        " le les lo los más me mi mis muy nada ni no nos nosotros o otra otro para parece pero por porque qué que"
        " quién se sea ser si sí sin sobre solo son su sus también te tengo tiene todo todos tu tus un una uno y ya"
        " yo favor hemos"
    ),
    "it": _set(
        "a ad ai al alla anche ancora che chi ci come con cosa così da dal dalla dei del della delle di dove e è ed era"
        " fa fare già gli ha hai hanno ho i il in io la le lei lo loro ma mi mio molto ne nei nel nella noi non o ogni"
        " ora per perché però più poi prima qual quale quando quello questa queste questi questo qui se sei si sia"
        " sono su sua sul sulla suo tra tu tutti tutto un una uno"
    ),
    "pt": _set(
        "a ainda algo antes ao aos aqui as assim até cada com como da das de deve do dos e é ela ele eles em entre era"
        " essa esse esta está este eu fazer foi há isso isto já mais mas me mesmo meu minha muito na não nas nem no"
        " nos nós o os ou para pela pelo por porque pra quais qual quando que quem se sem ser seu seus só são também"
        " tem ter tudo um uma umas uns você vocês"
    ),
    "nl": _set(
        "aan al alle als ben bij daar dan dat de deze die dit door dus een en er geen geef had heb hebben heeft het"
        " hier hij hoe ik in is ja je jij jullie kan kun kunnen maar me meer met mij mijn moet moeten na naar nee"
        " niet niets nog nu of om omdat ook op over te toch toen tot u uit van veel voor waarom want waren was wat we"
        " weer wel werd wie wij wordt ze zei zich zij zijn zo zou"
    ),
}
"""Stop words of the languages that are told apart by them."""

NEGATIONS: Final = _set(
    "no not never none nothing neither nor without nicht nichts kein keine keinen keiner nie ohne ne pas jamais rien"
    " sans non sin nunca nada nessun mai senza não nem sem niet geen nooit zonder 不 没 別 别 未 无 無 非"
)
"""Words that turn a sentence around."""

STOPWORDS: Final = frozenset().union(*BY_LANGUAGE.values())
"""All of them."""
