"""The restatement is honest and complete."""

from swe_together.adapter.continuation import restate


def test_restatement_holds_every_message_and_reply_in_order_and_the_new_message_last() -> None:
    text = restate([("do A", "did A"), ("and B", "")], "now C")
    positions = [text.index(part) for part in ("do A", "did A", "and B", "(no reply was kept)", "now C")]
    assert positions == sorted(positions)
    assert text.endswith("now C")
    assert "do not remember" in text
