"""Labels by plain rules, on words as people type them."""

import pytest

from swe_together.pipeline.base import turns_of
from swe_together.pipeline.build import label_of
from tests.pipeline.recorded import Recording


def label(text: str, *, stopped: bool = False, channel: str = "typed") -> tuple[str, str]:
    recording = Recording().says("first").replies("ok")
    if stopped:
        recording.stops()
    turn = turns_of(recording.says(text, channel=channel).session())[1]
    found = label_of(turn)
    return found.action.value, found.tags[0].value


@pytest.mark.parametrize(
    ("text", "action", "tag"),
    [
        ("no, keep the old name", "redirect", "correction"),
        ("still fails on windows", "redirect", "correction"),
        ("you forgot the docs", "redirect", "correction"),
        ("it doesn't work with an empty list", "redirect", "correction"),
        ("why did you remove the test?", "redirect", "correction"),
        ("run the tests", "check_external", "verification"),
        ("ok, now please check that it builds", "check_external", "verification"),
        ("commit.", "new_requirement", "workflow"),
        ("great, go ahead", "new_requirement", "workflow"),
        ("yes", "new_requirement", "workflow"),
        ("thanks!", "new_requirement", "approval"),
        ("what does this flag do?", "question", "question"),
        ("is there a shorter way", "question", "question"),
        ("can you add a flag for that?", "new_requirement", "request"),
        ("no problem, add a flag", "new_requirement", "request"),
        ("also split at semicolons", "new_requirement", "request"),
        ("noise in the log should go to stderr", "new_requirement", "request"),
    ],
)
def test_words(text: str, action: str, tag: str) -> None:
    assert label(text) == (action, tag)


def test_how_it_was_said_comes_before_the_words() -> None:
    assert label("add a flag", stopped=True) == ("redirect", "correction")
    assert label("add a flag", channel="rejection") == ("redirect", "correction")
    assert label("Option B", channel="answer") == ("new_requirement", "workflow")


CHINESE = [
    ("不对，应该按时间排序", "correction"), ("还是报错", "correction"), ("不要改测试文件", "correction"),
    ("你怎么把注释删了？", "correction"), ("这里没有生效", "correction"), ("这个参数是什么意思？", "question"),
    ("为什么要用缓存", "question"), ("支持 windows 吗", "question"), ("运行一下测试", "verification"),
    ("继续", "workflow"), ("好的，提交吧", "workflow"), ("可以", "workflow"), ("很好，谢谢", "approval"),
    ("能不能加一个选项？", "request"), ("把 foo.py 里的超时改成 30 秒", "request"), ("请添加单元测试", "request"),
    ("别忘了更新文档", "request"), ("好，文档里没有的话也加上", "request"), ("不错！", "approval"),
]  # fmt: skip
JAPANESE = [
    ("違います、元の名前のままにして", "correction"),
    ("まだ動かないです", "correction"),
    ("テストは変更しないで", "correction"),
    ("このフラグは何ですか？", "question"),
    ("なぜキャッシュが必要なのか", "question"),
    ("テストを実行して", "verification"),
    ("はい", "workflow"),
    ("続けてください", "workflow"),
    ("ありがとう、完璧です", "approval"),
    ("いいね、あとはREADMEにも使い方の説明を追加しておいて", "request"),
    ("オプションを追加してもらえますか？", "request"),
    ("セミコロンでも分割するようにして", "request"),
]
SPANISH = [
    ("no, deja el nombre como estaba", "correction"), ("sigue sin funcionar en windows", "correction"),
    ("olvidaste la documentación", "correction"), ("¿por qué has quitado la prueba?", "correction"),
    ("¿qué hace esta opción?", "question"), ("cómo se configura el puerto", "question"),
    ("ejecuta las pruebas", "verification"), ("sí, adelante", "workflow"), ("continúa", "workflow"),
    ("perfecto, gracias", "approval"), ("¿puedes añadir una opción para eso?", "request"),
    ("que también separe por punto y coma", "request"), ("no hay problema, añade la opción", "request"),
]  # fmt: skip
GERMAN = [
    ("nein, lass den alten Namen", "correction"), ("das geht immer noch nicht", "correction"),
    ("du hast die Doku vergessen", "correction"), ("warum hast du den Test gelöscht?", "correction"),
    ("was macht dieser Schalter?", "question"), ("wie stellt man den Port ein", "question"),
    ("prüfe bitte, ob es baut", "verification"), ("ja, mach weiter", "workflow"), ("weiter", "workflow"),
    ("super, danke", "approval"), ("kannst du dafür einen Schalter einbauen?", "request"),
    ("trenne auch an Strichpunkten", "request"), ("wir brauchen noch einen Eintrag im Changelog", "request"),
]  # fmt: skip
FRENCH = [
    ("non, garde l'ancien nom", "correction"), ("ça ne marche toujours pas", "correction"),
    ("tu as oublié la documentation", "correction"), ("pourquoi tu as supprimé le test ?", "correction"),
    ("que fait cette option ?", "question"), ("comment régler le port", "question"),
    ("vérifie que ça compile", "verification"), ("oui, vas-y", "workflow"), ("continue", "workflow"),
    ("parfait, merci", "approval"), ("peux-tu ajouter une option pour ça ?", "request"),
    ("sépare aussi aux points-virgules", "request"), ("il faut aussi une entrée dans le changelog", "request"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "tag"),
    [
        (language, text, tag)
        for language, said in (("zh", CHINESE), ("ja", JAPANESE), ("es", SPANISH), ("de", GERMAN), ("fr", FRENCH))
        for text, tag in said
    ],
)
def test_words_of_other_languages(language: str, text: str, tag: str) -> None:
    turn = turns_of(Recording().says("first").replies("ok").says(text).session())[1]
    found = label_of(turn, language)
    assert found.tags[0].value == tag
    assert (found.action.value == "redirect") is (tag == "correction")


@pytest.mark.parametrize("text", ["работает ли это на windows?", "هل يعمل هذا؟", "이 옵션은 뭐야?", "czy to działa?"])
def test_a_question_shows_by_its_sign_in_any_language(text: str) -> None:
    turn = turns_of(Recording().says("first").replies("ok").says(text).session())[1]
    assert label_of(turn, "ru").tags[0].value == "question"
