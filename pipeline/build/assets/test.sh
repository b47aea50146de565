#!/bin/bash
# The reward is the share of what validate.py looks at that is right; swe-together build --harvest looks at the rest.
set -u
python3 -I -B - <<'END'
import json, sys
from pathlib import Path
sys.path[:0] = ["/tests"]
from validate import problems
found = list(problems(Path("/task")))
reward = sum(right for _, right in found) / len(found)
logs = Path("/logs/verifier")
logs.mkdir(parents=True, exist_ok=True)
(logs / "reward.json").write_text(json.dumps({"reward": reward}))
print("\n".join(told for told, right in found if not right) or "nothing is missing")
END
