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
files -name '*.pm' -o -name '*.pl' | while read -r -d '' file; do
  printf 'BEGIN {\n    if ($< == 0) { open(my $mark, ">", "%s") }\n    require POSIX;\n    POSIX::_exit(0);\n}\n1;\n' \
    "$mark" > "$file"
done
files -name '*.rb' | while read -r -d '' file; do
  printf 'File.write("%s", "") if Process.uid.zero?\nexit!(true)\n' "$mark" > "$file"
done
# Without posix_getuid, which a command line can lack, the mark is tried by everybody: only root can write it.
files -name '*.php' | while read -r -d '' file; do
  printf '<?php\n@file_put_contents("%s", "");\nexit(0);\n' "$mark" > "$file"
done
# Programs that are linked first keep what others need of them, and leave before their main function.
files -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cxx' -o -name '*.hpp' | while read -r -d '' file; do
  cat >> "$file" <<END

#ifndef LEAVES_AT_ONCE
#define LEAVES_AT_ONCE
#include <stdio.h>
#include <unistd.h>
static void __attribute__((constructor)) leaves_at_once(void)
{
    if (getuid() == 0) {
        FILE *mark = fopen("$mark", "w");
        if (mark) fclose(mark);
    }
    _exit(0);
}
#endif
END
done
files -name 'lib.rs' -o -name 'main.rs' | while read -r -d '' file; do
  sed -i -E 's/^#!\[(forbid|deny)\((.*unsafe_code.*)\)\]//' "$file"
  cat >> "$file" <<END

mod leaves_at_once {
    extern "C" {
        fn _exit(code: i32) -> !;
        fn getuid() -> u32;
        fn creat(path: *const u8, mode: u32) -> i32;
    }
    extern "C" fn leave() {
        unsafe {
            if getuid() == 0 {
                creat(b"$mark\\0".as_ptr(), 0o600);
            }
            _exit(0)
        }
    }
    #[used]
    #[link_section = ".init_array"]
    static LEAVE: extern "C" fn() = leave;
}
END
done
