"""Keys and tokens that are known by their own shape, wherever they stand.

The library knows hundreds more; these are the ones met most in sessions of coding agents, and the ones whose loss
would hurt most. They are also looked for across joined lines, where the library is not asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._plausible import is_broken_up, is_made_up, is_random
from swe_together.pipeline.privacy._re2 import any_of, compile_bytes


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern whose first group is the value.

    Attributes:
        kind: Name in reports and placeholders.
        check: Whether a value found is meant; None takes all.
        family: Its sort.
        bounded: No letter or digit may stand right before the value.
    """

    kind: str
    pattern: Any
    check: Callable[[bytes], bool] | None = None
    family: Family = "secret"
    bounded: bool = True


def _token(kind: str, pattern: str, *, bounded: bool = True, random: bool = False) -> Rule:
    """A rule; ``random`` asks for a value that looks drawn at random, where the shape alone says little."""
    return Rule(
        kind,
        compile_bytes(b"(" + pattern.encode() + b")"),
        lambda value: not is_made_up(value) and (not random or (is_broken_up(value) and is_random(value))),
        bounded=bounded,
    )


TOKENS: Final[tuple[Rule, ...]] = (
    _token("aws-key-id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    _token("gcp-api-key", r"AIza[A-Za-z0-9_-]{35}"),
    _token("gcp-oauth-token", r"ya29\.[A-Za-z0-9_-]{20,}"),
    _token("gcp-client-secret", r"GOCSPX-[A-Za-z0-9_-]{24,}"),
    _token("github-token", r"github_pat_[A-Za-z0-9_]{40,}", bounded=False),
    _token("github-token", r"gh[pousr]_[A-Za-z0-9]{36,}", bounded=False),
    _token("gitlab-token", r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|oas)-[A-Za-z0-9_.-]{20,}"),
    _token("npm-token", r"npm_[A-Za-z0-9]{36}", bounded=False),
    _token("pypi-token", r"pypi-[A-Za-z0-9_-]{50,}"),
    _token("rubygems-token", r"rubygems_[a-f0-9]{48}"),
    _token("crates-token", r"cio[A-Za-z0-9]{32}\b"),
    _token("docker-token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    _token("slack-token", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}"),
    _token("slack-token", r"xapp-\d-[A-Z0-9]{8,20}-\d{6,20}-[a-f0-9]{20,}"),
    _token("slack-webhook", r"T[A-Z0-9]{7,14}/B[A-Z0-9]{7,14}/[A-Za-z0-9]{20,30}"),
    _token("discord-token", r"[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}", random=True),
    _token("discord-webhook", r"\d{17,20}/[A-Za-z0-9_-]{60,}"),
    _token("telegram-token", r"\d{8,11}:AA[A-Za-z0-9_-]{32,}", bounded=False),
    _token("telegram-token", r"\d{8,11}:[A-Za-z0-9_-]{34,}", bounded=False, random=True),
    _token("stripe-key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _token("webhook-secret", r"whsec_[A-Za-z0-9+/=]{24,}"),
    _token("twilio-key", r"(?:SK|AC)[0-9a-f]{32}\b"),
    _token("sendgrid-key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,}"),
    _token("mailgun-key", r"key-[0-9a-f]{32}\b"),
    _token("mailchimp-key", r"[0-9a-f]{32}-us\d{1,2}\b"),
    _token("anthropic-key", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    _token("openai-key", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),
    _token("openrouter-key", r"sk-or-(?:v1-)?[A-Za-z0-9]{32,}"),
    _token("api-key", r"sk-[A-Za-z0-9]{32,}\b"),
    _token("huggingface-token", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    _token("groq-key", r"gsk_[A-Za-z0-9]{40,}"),
    _token("xai-key", r"xai-[A-Za-z0-9]{60,}"),
    _token("replicate-token", r"r8_[A-Za-z0-9]{37,}"),
    _token("perplexity-key", r"pplx-[A-Za-z0-9]{40,}"),
    _token("fireworks-key", r"fw_[A-Za-z0-9]{22,30}\b"),
    _token("digitalocean-token", r"do[opr]_v1_[a-f0-9]{64}"),
    _token("shopify-token", r"shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"),
    _token("square-token", r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    _token("linear-key", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _token("notion-token", r"ntn_[A-Za-z0-9]{40,}"),
    _token("figma-token", r"figd_[A-Za-z0-9_-]{36,}"),
    _token("supabase-key", r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,})"),
    _token("vercel-token", r"vc[pki]_[A-Za-z0-9]{20,}"),
    _token("grafana-token", r"(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,})"),
    _token("sentry-token", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    _token("newrelic-key", r"NRAK-[A-Z0-9]{27}"),
    _token("databricks-token", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _token("vault-token", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    _token("doppler-token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}"),
    _token("fly-token", r"(?:fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=]{100,})"),
    _token("atlassian-token", r"AT[AC]TT3[A-Za-z0-9_=-]{60,}"),
    _token("age-key", r"(?i:AGE-SECRET-KEY-1[a-z0-9]{58})"),
    _token(
        "jwt",
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}"
        r"\.[A-Za-z0-9_-]{16,}",
    ),
)
"""Most particular first: where two overlap, the earlier names the kind."""

ANY_TOKEN: Final = any_of(rule.pattern for rule in TOKENS)
"""Found wherever one of the patterns is."""
