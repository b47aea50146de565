"""The state in which all code of a tree leaves at once: no language of our tasks is passed over."""

import subprocess
from pathlib import Path

from swe_together.pipeline.check.subject import ASSETS
from swe_together.tasks import load_task
from tests.support import harbor as h

FILES = {
    "python": "src/a.py", "javascript": "lib/a.js", "typescript": "lib/a.mjs", "go": "a.go", "rust": "src/lib.rs",
    "c": "a.c", "cpp": "src/a.cpp", "perl": "lib/A.pm", "ruby": "lib/a/a.rb", "php": "php/a.php",
}  # fmt: skip


def test_every_language_of_the_tasks_is_left_at_once(tmp_path: Path) -> None:
    used = {load_task(file.parent).metadata.language for file in (h.ROOT / "tasks").glob("*/task.toml")}
    assert used <= set(FILES), "teach leave-at-once.sh the new one"
    for name in FILES.values():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("package a\n" if name.endswith(".go") else "#![forbid(unsafe_code)]\n")
    subprocess.run(["bash", str(ASSETS / "leave-at-once.sh")], cwd=tmp_path, check=True)
    left = [path for path in tmp_path.rglob("*") if path.is_file() and "root-ran-candidate-code" in path.read_text()]
    assert {path.parent.relative_to(tmp_path) for path in left} == {Path(name).parent for name in FILES.values()}
    assert len(left) == len(FILES)
    assert "forbid" not in (tmp_path / FILES["rust"]).read_text(), "or it would not even be compiled"
