"""Tasks of the paper's release in a session: who can play their user, and their final state.

They have no anchors and no contract, so that some policies and one arm have nothing to say; and their task.toml packs
no final state, so that the adapter packs it when the session ends.
"""

from pathlib import Path

from swe_together.adapter.container import Container, run_as_root
from swe_together.adapter.judging import STATE
from swe_together.adapter.settings import Settings
from swe_together.adapter.state import STATE_PATH, collect_command
from swe_together.errors import EnvironmentFault, MisuseError
from swe_together.schema import TaskMetadata

ANCHORED = ("scripted", "anchored")
"""Policies that say what anchors hold."""
PACK_SEC = 600.0
"""A release's repositories are large, and their dependencies lie in them."""


def require_released(task: str, settings: Settings) -> None:
    """Refuse what such a task can't be played as.

    Args:
        task: Its name, for the message.
        settings: Of the run.

    Raises:
        MisuseError: The policy needs anchors, or the arm the whole contract.
    """
    if settings.arm == "full-spec":
        raise MisuseError(
            f"task {task} can't be played with arm=full-spec: the paper's release holds no contract in one message.",
            "Leave the arm out, or take arm=first-message.",
        )
    if settings.arm == "interactive" and settings.user in ANCHORED:
        raise MisuseError(
            f"task {task} of the paper's release has no anchors, so user={settings.user} has nothing to say.",
            "Add --pk user=llm --pk user_model=PROVIDER/MODEL, or user=human; or make anchors: swe-together"
            " import-release.",
        )


async def pack_state(container: Container, metadata: TaskMetadata, trial_dir: Path) -> None:
    """Pack the final state as the collect command of our own tasks does, and fetch it into the trial's artifacts.

    Raises:
        EnvironmentFault: It could not be packed or fetched.
    """
    command = collect_command(metadata.trees, metadata.exclude)
    packed = await run_as_root(container, command, "packing the final state", timeout_sec=PACK_SEC)
    if packed.return_code != 0:
        raise EnvironmentFault(f"The final state could not be packed: {packed.stdout}")
    target = trial_dir / STATE
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        await container.download_file(STATE_PATH, target)
    except Exception as error:
        raise EnvironmentFault(f"The final state could not be fetched: {error}") from error
