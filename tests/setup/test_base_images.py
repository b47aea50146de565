import json
import os
import ssl
import subprocess
import time
from pathlib import Path

import pytest

from tests.setup.conftest import Machine, sentences

SCRIPT = "setup/base-images.sh"
STAND_INS = ". setup/base-images.sh; hub_answers() { false; }; make_rootfs() { mkdir -p $2; echo made >>$CALLS; }; "


def engine(machine: Machine, pull: str) -> None:
    """A docker command without any image, until one is imported or pulled."""
    here = machine.folder / "image"
    machine.put(
        "docker",
        f"""case "$1" in
    image) [ -e {here} ] ;;
    pull) {pull} && touch {here} ;;
    import) cat >/dev/null; touch {here} ;;
esac""",
    )
    machine.put("tar", "")
    machine.put("debootstrap", "exit 9")


def test_image_that_is_there_is_left_alone(machine: Machine) -> None:
    engine(machine, "false")
    (machine.folder / "image").touch()
    done = machine.run(SCRIPT)
    assert (done.returncode, machine.calls) == (0, ["docker image inspect debian:trixie-slim"])
    assert "skipped" in done.stderr


def test_nothing_is_built_where_the_hub_answers(machine: Machine) -> None:
    engine(machine, "true")
    done = machine.run(f"{STAND_INS} main")
    assert done.returncode == 0
    assert "made" not in machine.calls
    assert machine.called("docker import") == []


def test_silent_hub_is_given_up_and_the_image_built(machine: Machine) -> None:
    machine.debian()
    machine.variables |= {"SWE_TOGETHER_PULL_SECONDS": "1"}
    engine(machine, "sleep 30")
    began = time.monotonic()
    done = machine.run(f"{STAND_INS} main")
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 15
    assert "made" in machine.calls
    (call,) = machine.called("docker import")
    assert call.endswith("- debian:trixie-slim")
    assert "LABEL swe-together.local-base=1" in call
    for name in ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"):
        assert f"ENV {name}=/etc/ssl/certs/ca-certificates.crt" in call
    assert not list(machine.folder.glob("swe-together-base.*")), "the tree is gone"


def test_failed_build_leaves_no_tree_behind(machine: Machine) -> None:
    machine.debian()
    engine(machine, "false")
    done = machine.run(f"{STAND_INS} import_image() {{ false; }}; set -e; main")
    assert done.returncode != 0
    assert "made" in machine.calls
    assert not list(machine.folder.glob("swe-together-base.*"))


def test_tree_of_a_killed_run_goes_and_a_young_one_stays(machine: Machine) -> None:
    machine.debian()
    engine(machine, "false")
    old, young = machine.folder / "swe-together-base.old", machine.folder / "swe-together-base.young"
    for tree in (old, young):
        (tree / "rootfs").mkdir(parents=True)
    os.utime(old, (0, 0))
    assert machine.run(f"{STAND_INS} main").returncode == 0
    assert (old.exists(), young.exists()) == (False, True)


def test_user_who_may_not_build_gets_one_sentence(machine: Machine) -> None:
    machine.user()
    engine(machine, "false")
    done = machine.run(f"{STAND_INS} main")
    assert done.returncode == 2
    (sentence,) = sentences(done.stderr)
    assert "debian:trixie-slim" in sentence


def test_two_runs_at_once_build_one_image(machine: Machine) -> None:
    machine.debian()
    engine(machine, "false")
    slow = STAND_INS + "make_rootfs() { mkdir -p $2; echo made >>$CALLS; sleep 1; }; "
    done = machine.run(f"({slow} main) & ({slow} main); wait $!")
    assert done.returncode == 0, done.stderr
    assert machine.calls.count("made") == 1
    assert "just made by another run" in done.stderr


def pem(number: int, width: int = 64) -> str:
    """Something that has the shape of a certificate."""
    body = f"{number:04d}" * 40
    lines = [body[i : i + width] for i in range(0, len(body), width)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


def test_certificates_that_only_the_host_has(machine: Machine) -> None:
    host, image = machine.folder / "host.crt", machine.folder / "image.crt"
    host.write_text(f"# a comment\n{pem(1)}{pem(2, width=76)}\r\n{pem(3)}".replace("\n", "\r\n"))
    image.write_text(pem(2) + pem(4))
    done = machine.run(f". setup/lib.sh; . setup/rootfs.sh; missing_certificates {host} {image}")
    assert done.stdout.split() == ["0001" * 40, "0003" * 40]


def test_certificates_go_in_as_local_ones(machine: Machine) -> None:
    rootfs, host = machine.folder / "rootfs", machine.folder / "host.crt"
    (rootfs / "usr/local/share/ca-certificates").mkdir(parents=True)
    (rootfs / "etc/ssl/certs").mkdir(parents=True)
    (rootfs / "etc/ssl/certs/ca-certificates.crt").write_text(pem(2))
    host.write_text(pem(1) + pem(2) + pem(3))
    machine.variables["SSL_CERT_FILE"] = str(host)
    machine.put("chroot", "")
    done = machine.run(f"set -euo pipefail; . setup/lib.sh; . setup/rootfs.sh; add_host_certificates {rootfs}")
    assert done.returncode == 0, done.stderr
    added = sorted((rootfs / "usr/local/share/ca-certificates").glob("*.crt"))
    assert [file.read_text() for file in added] == [pem(1), pem(3)]
    assert machine.called("chroot") == [f"chroot {rootfs} update-ca-certificates"]


# --- the real image -------------------------------------------------------------------------------


def in_container(script: str) -> str:
    line = ["docker", "run", "--rm", "--network", "none", "debian:trixie-slim", "bash", "-euc", script]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def image_config() -> dict[str, dict[str, str] | list[str] | None]:
    line = ["docker", "image", "inspect", "--format", "{{json .Config}}", "debian:trixie-slim"]
    config: dict[str, dict[str, str] | list[str] | None] = json.loads(subprocess.check_output(line))
    return config


@pytest.mark.docker
def test_image_is_a_plain_trixie() -> None:
    assert "VERSION_CODENAME=trixie" in in_container("cat /etc/os-release")
    assert in_container("find /var/lib/apt/lists /usr/share/man -type f -size +0 2>/dev/null || true") == ""


@pytest.mark.docker
def test_image_trusts_what_this_machine_trusts_even_after_an_update() -> None:
    labels = image_config()["Labels"] or {}
    if "swe-together.local-base" not in labels:
        # Docker Hub's own image, on a machine with no certificates of its own: nothing was to be added.
        assert "VERSION_CODENAME=trixie" in in_container("cat /etc/os-release")
        return
    script = "update-ca-certificates --fresh >/dev/null 2>&1; cat $SSL_CERT_FILE"
    inside = set(ssl_certificates(in_container(script)))
    bundle = ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"
    assert set(ssl_certificates(Path(bundle).read_text())) <= inside


def ssl_certificates(text: str) -> list[bytes]:
    end = "-----END CERTIFICATE-----"
    return [ssl.PEM_cert_to_DER_cert(part[part.index("-----BEGIN") :] + end) for part in text.split(end)[:-1]]
