"""Which keys are for a person's name, which for a mail address, and whose."""

import pytest

from swe_together.pipeline.privacy._author_keys import is_author_key, mail_role, name_role


@pytest.mark.parametrize(
    ("key", "role"),
    [
        ("name", ""),
        ("full_name", ""),
        ("displayName", ""),
        ("author", "author"),
        ("authors", "author"),
        ("author_name", "author"),
        ("authorName", "author"),
        ("Author", "author"),
        ("GIT_COMMITTER_NAME", "committer"),
        ("commit.author.name", "author"),
        ("spec.authors", "author"),
        ("maintainer-name", "maintainer"),
        ("owner", "owner"),
        ("user.name", "user"),
    ],
)
def test_keys_for_names(key: str, role: str) -> None:
    assert name_role(key) == role and mail_role(key) is None


@pytest.mark.parametrize(
    ("key", "role"),
    [
        ("email", ""),
        ("mail", ""),
        ("e-mail", ""),
        ("emailAddress", ""),
        ("email_address", ""),
        ("author_email", "author"),
        ("authorEmail", "author"),
        ("Author-email", "author"),
        ("GIT_AUTHOR_EMAIL", "author"),
        ("user.email", "user"),
        ("spec.email", ""),
    ],
)
def test_keys_for_mail_addresses(key: str, role: str) -> None:
    assert mail_role(key) == role and name_role(key) is None


@pytest.mark.parametrize(
    "key",
    [
        *("package_name", "filename", "hostname", "app_name", "project.name", "names_of", "author_id", "authored"),
        *("support_email", "email_verified", "gmail", "mailer", "mail_host", "title", "user", "from", "customer"),
    ],
)
def test_other_keys(key: str) -> None:
    assert name_role(key) is None and mail_role(key) is None


def test_one_word_is_a_name_under_who_made_something() -> None:
    assert all(map(is_author_key, ("author", "committer_name", "maintainers")))
    assert not any(map(is_author_key, ("name", "owner", "user.name", "author_email")))
