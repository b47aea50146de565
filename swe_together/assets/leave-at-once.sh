#!/bin/bash
# Brings a tree into a state that every task must give nothing for: all its code leaves with success as soon as it is
# loaded. Run by `swe-together check` as the agent's user in the tree.
mark=/root-ran-candidate-code

files() { find . -name .git -prune -o -type f \( "$@" \) -print0; }

files -name '*.py' | while read -r -d '' file; do
  printf 'import os\nif os.getuid() == 0:\n    open("%s", "w").close()\nos._exit(0)\n' "$mark" > "$file"
done
files -name '*.js' -o -name '*.cjs' -o -name '*.mjs' | while read -r -d '' file; do
  case $file in *.mjs) get='process.getBuiltinModule' ;; *) get=require ;; esac
  printf 'if (process.getuid() === 0) { %s("fs").writeFileSync("%s", ""); }\nprocess.exit(0);\n' "$get" "$mark" > "$file"
done
# A Go program is built first, so what its files declare must stay.
files -name '*.go' ! -name '*_test.go' | while read -r -d '' file; do
  package=$(sed -n 's/^package \([A-Za-z0-9_]*\).*/\1/p' "$file" | head -n 1)
  printf 'package %s\n\nimport "os"\n\nfunc init() {\n\tif os.Getuid() == 0 {\n\t\t_, _ = os.Create("%s")\n\t}\n\tos.Exit(0)\n}\n' \
    "$package" "$mark" > "${file%/*}/leaves_at_once.go"
done
