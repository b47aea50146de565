"""The marker in the container's state folder: tells the task's own tests how the session went."""

import shlex

from swe_together import defaults
from swe_together.adapter.container import Container
from swe_together.errors import EnvironmentFault
from swe_together.schema import EndReason, Marker


async def write_marker(container: Container, end: EndReason) -> None:
    """Leave the marker, as root, where Harbor's artifacts pick it up.

    Raises:
        EnvironmentFault: The container takes no file.
    """
    folder, text = defaults.STATE_DIR, Marker(end=end, valid=end.valid).model_dump_json()
    target = f"{folder}/{defaults.MARKER_FILE}"
    command = (
        f"mkdir -p {folder} && chown 0:0 {folder} && chmod 700 {folder} && rm -rf {target} {target}.new"
        f" && printf %s {shlex.quote(text)} > {target}.new && mv -T {target}.new {target}"
    )
    result = await container.exec(command, user="root", timeout_sec=defaults.EXEC_TIMEOUT_SEC)
    if result.return_code != 0:
        raise EnvironmentFault(
            f"The session's marker could not be written: {(result.stderr or result.stdout or '')[:300]}.",
            "Look at the trial's log; is the container's disk full?",
        )
