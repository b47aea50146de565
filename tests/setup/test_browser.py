"""The browser's set-up: one that starts is used, else Debian's is installed, else it says what to do."""

from tests.setup.conftest import Machine, sentences

SETUP = "setup/browser.sh"


def test_a_browser_that_starts_is_used(machine: Machine) -> None:
    machine.debian("chromium")
    machine.put("google-chrome", "")
    done = machine.run(SETUP)
    assert done.returncode == 0
    assert "google-chrome is there" in done.stderr
    assert machine.called("apt-get") == []


def test_it_is_installed_where_that_is_allowed(machine: Machine) -> None:
    machine.debian("chromium")
    machine.put("apt-get", f'case "$*" in *install*) printf "#!/bin/bash\\n" >{machine.folder}/bin/chromium; '
                           f"chmod +x {machine.folder}/bin/chromium;; esac")  # fmt: skip
    done = machine.run(SETUP)
    assert done.returncode == 0
    assert [call for call in machine.called("apt-get") if call.endswith(" chromium")]


def test_one_that_does_not_start_is_no_browser(machine: Machine) -> None:
    machine.debian("chromium")
    machine.put("chromium", "exit 1")
    done = machine.run(SETUP)
    assert done.returncode == 2
    assert "does not start" in done.stderr


def test_without_rights_it_says_what_to_do(machine: Machine) -> None:
    machine.user()
    machine.debian("chromium")
    done = machine.run(SETUP)
    assert done.returncode == 2
    assert len(sentences(done.stderr)) == 1
    assert "install chromium" in done.stderr
