import pytest

from tests.setup.conftest import Machine, sentences

SCRIPT = "setup/docker.sh"
CLIENT = """case "$1" in
    version) {version} ;;
    compose) {compose} ;;
    buildx) {buildx} ;;
    *) exit 9 ;;
esac"""
UP = "echo 28.0.1"
DOWN = "echo 'Cannot connect to the Docker daemon' >&2; exit 1"
DENIED = "echo 'permission denied while trying to connect' >&2; exit 1"


def client(machine: Machine, version: str = UP, compose: str = "echo 2.26.1-4", buildx: str = "echo v0.13") -> None:
    machine.put("docker", CLIENT.format(version=version, compose=compose, buildx=buildx))


def test_sound_machine_is_left_alone(machine: Machine) -> None:
    machine.debian()
    client(machine)
    done = machine.run(SCRIPT)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert "skipped" in done.stderr
    assert machine.called("apt") == []


def test_no_engine_and_no_right_to_install_is_one_sentence(machine: Machine) -> None:
    machine.user()
    done = machine.run(SCRIPT)
    assert done.returncode == 2
    (sentence,) = sentences(done.stderr)
    assert "docs.docker.com/engine/install" in sentence


def test_engine_is_installed_and_started_apart_from_us(machine: Machine) -> None:
    machine.debian()
    started = machine.folder / "started"
    client(machine, version=f"[ -e {started} ] && echo 28 || {{ echo down >&2; exit 1; }}")
    machine.put("cgroupfs-mount", "")
    machine.put("setsid", f"sleep 1; [ -e /proc/$$/fd/9 ] && touch {machine.folder}/leaked; touch {started}")
    done = machine.run(SCRIPT)
    assert done.returncode == 0, done.stderr
    assert machine.called("apt-get -qy install") == ["apt-get -qy install --no-install-recommends docker.io"]
    assert machine.called("setsid") == ["setsid nohup dockerd"]
    assert not (machine.folder / "leaked").exists(), "the daemon must not inherit the lock"


def test_engine_that_never_answers_is_given_up(machine: Machine) -> None:
    machine.debian()
    machine.variables["SWE_TOGETHER_ENGINE_SECONDS"] = "2"
    client(machine, version=DOWN)
    machine.put("dockerd", "")
    machine.put("cgroupfs-mount", "")
    machine.put("setsid", "echo failed to start: no overlay")
    done = machine.run(SCRIPT)
    assert done.returncode == 2
    assert "did not answer within 2 seconds" in sentences(done.stderr)[0]
    assert "no overlay" in done.stderr, "the daemon's own words are shown"


def test_engine_named_by_the_user_is_not_replaced(machine: Machine) -> None:
    machine.debian()
    client(machine, version=DOWN)
    machine.variables["DOCKER_HOST"] = "tcp://10.0.0.1:2375"
    done = machine.run(SCRIPT)
    assert done.returncode == 2
    assert "DOCKER_HOST=tcp://10.0.0.1:2375" in sentences(done.stderr)[0]
    assert machine.called("apt-get") == []


def test_user_outside_the_group_joins_it_by_sudo_only(machine: Machine) -> None:
    machine.user()
    client(machine, version=DENIED)
    done = machine.run(SCRIPT)
    assert done.returncode == 2
    assert "usermod -aG docker dev" in sentences(done.stderr)[0]
    machine.put("sudo", "true")
    assert machine.run(SCRIPT).returncode == 0
    assert "sudo -n -- usermod -aG docker dev" in machine.calls


def test_run_starts_a_session_that_knows_the_new_group(machine: Machine) -> None:
    machine.user()
    client(machine, version=DENIED)
    machine.put("sudo", "")
    machine.run("setup/run.sh cat /dev/null")
    (call,) = [call for call in machine.called("sudo") if call.endswith("cat /dev/null")]
    assert call.startswith("sudo -n -E -u dev -- env PATH=")


@pytest.mark.parametrize("version", [UP, DOWN])
def test_run_is_transparent_otherwise(version: str, machine: Machine) -> None:
    client(machine, version=version)
    done = machine.run("setup/run.sh bash -c 'echo out; exit 7'")
    assert (done.returncode, done.stdout) == (7, "out\n")


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["docker-compose-v2=2.24.6+ds1-0ubuntu2", "docker-compose=1.29.2-6"], "docker-compose-v2"),
        (["docker-compose-plugin=2.30.0-1~debian.12"], "docker-compose-plugin"),
        (["docker-compose=2.26.1-4"], "docker-compose"),
        (["docker-compose=1:2.26.1-4"], "docker-compose"),
    ],
)
def test_compose_comes_from_the_first_package_of_version_two(offered: list[str], chosen: str, machine: Machine) -> None:
    machine.debian(*offered)
    client(machine, compose=f'grep -q "install.* {chosen}$" "$CALLS" && echo 2.30 || exit 1')
    done = machine.run(SCRIPT)
    assert done.returncode == 0, done.stderr
    assert machine.called("apt-get -qy install") == [f"apt-get -qy install --no-install-recommends {chosen}"]


def test_first_compose_is_not_good_enough(machine: Machine) -> None:
    machine.debian("docker-compose=1.29.2-6", "debian-archive-keyring=1")
    client(machine, compose='grep -q "^dpkg -i" "$CALLS" && echo 2.26.1-4 || echo 1.29.2')
    mirrors = "; ".join(f"echo http://mirror.example/{name}/" for name in ("debian-security", "debian"))
    update = 'for part in "$@"; do [[ "$part" != *SourceList=/tmp* ]] || cat "${part#*=}" >>"$CALLS"; done'
    download = "touch docker-compose_2.26.1-4_amd64.deb"
    machine.put(
        "apt-get", f'case "$*" in *indextargets*) {mirrors};; *download*) {download};; *update*) {update};; esac'
    )
    done = machine.run(SCRIPT)
    assert done.returncode == 0, done.stderr
    assert machine.called("deb ")[0].endswith("] http://mirror.example/debian/ trixie main")
    (download,) = [call for call in machine.called("apt-get") if "download" in call]
    assert download.endswith("download docker-compose")
    assert "Dir::Etc::SourceParts=/dev/null" in download, "the machine's own package sources stay out of it"
    assert len(machine.called("dpkg -i")) == 1


def test_no_mirror_is_known(machine: Machine) -> None:
    machine.debian("docker-compose=1.29.2-6", "debian-archive-keyring=1")
    client(machine, compose="echo 1.29.2")
    done = machine.run(SCRIPT)
    assert done.returncode == 2
    (sentence,) = sentences(done.stderr)
    assert "SWE_TOGETHER_DEBIAN_MIRROR" in sentence


def test_missing_buildx_without_the_right_to_install(machine: Machine) -> None:
    machine.user()
    client(machine, buildx="exit 1")
    done = machine.run(SCRIPT)
    assert done.returncode == 2
    (sentence,) = sentences(done.stderr)
    assert "no buildx" in sentence
