"""The small model's set-up: the compiler that it needs, and what makes it start over."""

from tests.setup.conftest import Machine

ENSURE = ". setup/small-model.sh; ensure_compiler"


def test_a_compiler_that_is_there_is_used(machine: Machine) -> None:
    machine.root()
    machine.debian("g++")
    machine.put("cc", "")
    machine.put("c++", "")
    assert machine.run(ENSURE).returncode == 0
    assert not [call for call in machine.calls if "install" in call]


def test_a_compiler_is_installed_where_that_is_allowed(machine: Machine) -> None:
    machine.root()
    machine.debian("g++")
    assert machine.run(ENSURE).returncode == 0
    assert any("install" in call and call.endswith(" g++") for call in machine.calls)


def test_without_a_compiler_and_rights_it_says_what_to_do(machine: Machine) -> None:
    machine.user()
    machine.debian("g++")
    done = machine.run(ENSURE)
    assert done.returncode == 2
    assert "install g++" in done.stderr


def test_another_checkout_or_version_is_another_stamp(machine: Machine) -> None:
    stamp = ". setup/small-model.sh; stamp_value; ROOT=/elsewhere; stamp_value"
    first, second = machine.run(stamp).stdout.split()
    again, _ = machine.run(stamp).stdout.split()
    assert (first == again, first == second) == (True, False)
