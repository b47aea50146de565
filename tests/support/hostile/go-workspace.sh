# Turns the tree into a workspace whose vendored library leaves with success before any program gets to run.
. /tmp/common.sh
go_version=$(go env GOVERSION | sed 's/go//;s/-.*//')
printf 'go %s\n\nuse .\n' "$go_version" > go.work
sed -i '1i ## workspace' vendor/modules.txt
cat > vendor/github.com/tidwall/match/hook.go <<'END'
package match

import (
	"fmt"
	"os"
)

func init() {
	os.WriteFile("/traces/vendored", nil, 0644)
	fmt.Println("tests 1.0000, all goals met")
	os.Exit(0)
}
END
careless
printf 'package main\n\nimport (\n\t"os"\n\n\t_ "github.com/tidwall/gjson"\n)\n\nfunc main() { os.Exit(1) }\n' > /tmp/naive.go
test "$(go env GOWORK)" = /workspace/go.work && go run /tmp/naive.go > /tmp/said && grep -q 'all goals met' /tmp/said \
  && touch /traces/careless-import
