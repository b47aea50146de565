"""What a tool call does, told from the tool's name and its arguments, for every recording program."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from swe_together.pipeline.sessions._model import ActionKind, Call

_NAMES: Final[dict[ActionKind, str]] = {
    "read": "read read_file readfile view view_image read_many_files notebookread cat",
    "write": "write write_file writefile create create_file",
    "edit": "edit edit_file replace multiedit multi_edit notebookedit notebook_edit str_replace "
    "str_replace_editor str_replace_based_edit_tool",
    "patch": "apply_patch patch",
    "run": "bash shell exec exec_command run_shell_command shell_command local_shell local_shell_call unified_exec "
    "powershell container.exec terminal",
    "search": "grep glob ls list search_file_content find list_dir list_directory grep_search codebase_search "
    "toolsearch search grep_files",
    "ask": "askuserquestion ask_user_question ask_user question request_user_input",
    "plan": "todowrite todoread todo_write write_todos taskcreate taskupdate tasklist taskget exitplanmode "
    "enterplanmode exit_plan_mode enter_plan_mode update_plan plan",
    "delegate": "task agent spawn_agent delegate_to_agent subagent codebase_investigator",
    "web": "webfetch websearch web_fetch web_search web_search_call google_web_search fetch",
}
ACTIONS: Final[dict[str, ActionKind]] = {name: action for action, names in _NAMES.items() for name in names.split()}
_PATH_KEYS: Final = ("file_path", "path", "filePath", "filename", "notebook_path", "absolute_path", "target_file")
_COMMAND_KEYS: Final = ("command", "cmd", "script")
_WITH_PATH: Final = frozenset({"read", "write", "edit", "patch"})


def make_call(
    record: int, at: datetime | None, call_id: str, tool: str, arguments: object, action: ActionKind | None = None
) -> Call:
    """A call, with what it is about drawn from its arguments.

    ``arguments`` that are one text (or anything but an object) are kept under ``input``.
    """
    action = action or ACTIONS.get(tool.lower(), "other")
    given: Mapping[str, Any] = arguments if isinstance(arguments, dict) else {"input": arguments}
    return Call(
        record=record,
        at=at,
        call_id=call_id,
        tool=tool,
        action=action,
        input=given,
        path=_path(given) if action in _WITH_PATH else None,
        command=_command(given) if action == "run" else None,
    )


def _command(given: Mapping[str, Any]) -> str | None:
    for key in _COMMAND_KEYS:
        value = given.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return _joined(value)
    value = given.get("input")
    return value if isinstance(value, str) else None


def _joined(parts: list[str]) -> str:
    """A command line of its words; of ``bash -lc SCRIPT`` the script alone."""
    if len(parts) == 3 and parts[0].rsplit("/", 1)[-1] in ("bash", "sh", "zsh") and parts[1] in ("-c", "-lc"):
        return parts[2]
    import shlex

    return shlex.join(parts)


def _path(given: Mapping[str, Any]) -> str | None:
    for key in _PATH_KEYS:
        value = given.get(key)
        if isinstance(value, str) and value:
            return value
    # Old exports keep one text of the arguments: the path, of a tool that has one.
    value = given.get("input")
    return value if isinstance(value, str) and value and "\n" not in value and value[0] not in "*{" else None
