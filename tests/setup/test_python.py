import shutil
import sys
from pathlib import Path

import pytest

from tests.setup.conftest import ROOT, Machine, sentences

SCRIPT = "setup/python.sh"


def fake_python(version: str, where: str) -> str:
    """A program that answers the script's question as a Python of that version would."""
    major, minor = version.split(".")
    good = (int(major), int(minor)) >= (3, 12)
    return f"echo {where}; exit {0 if good else 1}" if good else "exit 1"


def test_real_interpreter_is_found_and_named_by_its_own_path(machine: Machine) -> None:
    machine.variables["PYTHON"] = sys.executable
    done = machine.run(SCRIPT)
    assert (done.returncode, done.stdout) == (0, f"{sys.executable}\n")


def test_too_old_is_passed_over_for_a_newer_one(machine: Machine) -> None:
    machine.put("python3", "exit 1")
    machine.put("python3.12", "exit 127")  # A pyenv shim without that version.
    machine.put("python3.13", fake_python("3.13", "/opt/python3.13"))
    assert machine.run(SCRIPT).stdout == "/opt/python3.13\n"


@pytest.mark.parametrize("variable", ["HOME", "PYENV_ROOT"])
def test_versions_of_pyenv(variable: str, machine: Machine) -> None:
    root = machine.folder / "home" / ".pyenv" if variable == "HOME" else machine.folder / "pyenv"
    binary = root / "versions" / "3.12.7" / "bin" / "python"
    binary.parent.mkdir(parents=True)
    binary.write_text("#!/bin/bash\necho found\n")
    binary.chmod(0o755)
    if variable != "HOME":
        machine.variables[variable] = str(root)
    assert machine.run(SCRIPT).stdout == "found\n"


def test_installs_what_apt_offers(machine: Machine) -> None:
    machine.debian("python3.13-venv")
    machine.put(
        "apt-get",
        f"""if [[ "$*" == *install* ]]; then
    printf '#!/bin/bash\\necho /usr/bin/python3.13\\n' >{machine.folder}/bin/python3.13
    chmod +x {machine.folder}/bin/python3.13
fi""",
    )
    done = machine.run(SCRIPT)
    assert (done.returncode, done.stdout) == (0, "/usr/bin/python3.13\n")
    assert machine.called("apt-get -qy install") == [
        "apt-get -qy install --no-install-recommends python3.13 python3.13-venv"
    ]


def test_nothing_to_be_had_is_one_sentence(machine: Machine) -> None:
    machine.user()
    done = machine.run(SCRIPT)
    assert (done.returncode, done.stdout) == (2, "")
    (sentence,) = sentences(done.stderr)
    assert "Python 3.12 or newer" in sentence
    assert "PYTHON=" in sentence


def test_uv_is_asked_where_apt_has_nothing(machine: Machine) -> None:
    machine.user()
    machine.put("uv", f'[ "$2" != find ] || {{ [ -e {machine.folder}/fetched ] && echo {sys.executable}; }}\n'
                f'[ "$2" != install ] || touch {machine.folder}/fetched')  # fmt: skip
    done = machine.run(SCRIPT)
    assert (done.returncode, done.stdout) == (0, f"{sys.executable}\n")
    assert machine.called("uv python install") == ["uv python install 3.12"]


# --- the virtual environment ----------------------------------------------------------------------


@pytest.fixture
def checkout(machine: Machine) -> Path:
    """A copy of the scripts with a project file, and a Python that makes environments out of nothing."""
    folder = machine.folder / "checkout"
    shutil.copytree(ROOT / "setup", folder / "setup")
    (folder / "pyproject.toml").write_text("one")
    inner = "#!/bin/bash\\necho pip \\$* >>$CALLS\\n[ ! -e $CALLS.fail ] || [ \\$2 != pip ]\\n"
    machine.put(
        "python3.12",
        f"""if [ "$2" = venv ]; then
    mkdir -p "${{*: -1}}/bin"
    printf "{inner}" >"${{*: -1}}/bin/python"
    chmod +x "${{*: -1}}/bin/python"
else
    echo {machine.folder}/bin/python3.12
fi""",
    )
    return folder


def installs(machine: Machine) -> int:
    return len(machine.called("pip -m pip install"))


def test_environment_is_made_once_and_again_when_the_project_file_changes(machine: Machine, checkout: Path) -> None:
    script = f"{checkout}/setup/venv.sh"
    assert machine.run(script).returncode == 0
    assert installs(machine) == 1
    assert f"-e {checkout}[dev]" in machine.called("pip -m pip install")[0]
    again = machine.run(script)
    assert "skipped" in again.stderr
    assert installs(machine) == 1
    (checkout / "pyproject.toml").write_text("two")
    assert machine.run(script).returncode == 0
    assert installs(machine) == 2
    assert len(machine.called("python3.12 -m venv")) == 1, "the environment itself was kept"


def test_failed_install_is_done_again(machine: Machine, checkout: Path) -> None:
    script, broken = f"{checkout}/setup/venv.sh", machine.folder / "calls.fail"
    broken.touch()
    done = machine.run(script)
    assert done.returncode == 2
    assert "pip could not install" in sentences(done.stderr)[0]
    broken.unlink()
    assert machine.run(script).returncode == 0
    assert installs(machine) == 2


def test_broken_environment_is_made_anew(machine: Machine, checkout: Path) -> None:
    script = f"{checkout}/setup/venv.sh"
    machine.run(script)
    (checkout / ".venv" / "bin" / "python").unlink()
    assert machine.run(script).returncode == 0
    assert len(machine.called("python3.12 -m venv --clear")) == 2
