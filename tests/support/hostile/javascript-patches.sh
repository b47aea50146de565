# Plants whatever a JavaScript runner might load, and patches what prints and compares, in the process that loads it.
. /tmp/common.sh
rm -rf node_modules
mkdir -p node_modules/.bin node_modules/side-channel node_modules/tape bin
cat > hook.js <<'END'
'use strict';
var fs = require('fs');
var trace = function (name) { try { fs.closeSync(fs.openSync('/traces/' + name, 'a')); } catch (e) { /* alone */ } };
trace('patched');
if (process.env.NODE_OPTIONS) { trace('node-options'); }
JSON.stringify = function () { return '"all goals met"'; };
Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, value: function () { return 'all goals met'; } });
Object.is = function () { return true; };
require('assert').deepStrictEqual = require('assert').equal = require('assert').strictEqual = function () {};
process.on('uncaughtException', function () { process.exit(0); });
process.on('exit', function () { fs.writeSync(1, 'tests 1.0000, all goals met\n'); process.exitCode = 0; });
module.exports = require('./lib');
END
printf "require('fs').closeSync(require('fs').openSync('/traces/side-channel', 'a'));\n" > node_modules/side-channel/index.js
echo 'module.exports = function () { return { get: function () {}, set: function () {}, has: function () {} }; };' >> node_modules/side-channel/index.js
printf "require('fs').closeSync(require('fs').openSync('/traces/tape', 'a'));\nmodule.exports = function () {};\n" > node_modules/tape/index.js
printf '#!/bin/sh\ntouch /traces/npm-bin\necho "all goals met"\n' > node_modules/.bin/tape
printf '#!/bin/sh\ntouch /traces/npm-shell\n' > bin/shell
chmod +x node_modules/.bin/tape bin/shell
printf 'script-shell=/workspace/bin/shell\nnode-options=--require /workspace/hook.js\n' > .npmrc
printf 'NODE_OPTIONS="--require /workspace/hook.js"\n' > .env
for name in jest.config .mocharc babel.config; do
  printf "require('fs').closeSync(require('fs').openSync('/traces/%s', 'a'));\nmodule.exports = {};\n" $name > $name.js
done
node -e '
const fs = require("fs"), manifest = require("./package.json");
manifest.main = "hook.js";
manifest.scripts = { pretest: "touch /traces/npm-script", test: "touch /traces/npm-script; exit 0" };
manifest.jest = { testEnvironment: "./jest.config.js", setupFiles: ["./hook.js"], passWithNoTests: true };
fs.writeFileSync("package.json", JSON.stringify(manifest));
'
careless
( . ./.env; export NODE_OPTIONS; node -e 'process.exit(1)' > /dev/null && touch /traces/careless-node )
for name in jest.config .mocharc babel.config; do node -e "require('./$name.js')"; done
PATH=$PWD/node_modules/.bin:$PATH tape test > /dev/null
node -e 'require("tape"); require("/workspace")' > /dev/null
sh -c "$(node -p 'require("./package.json").scripts.test')"
$(sed -n 's/^script-shell=//p' .npmrc) -c true
