#!/bin/sh
# The real pre-commit with examples/ci/pre-commit-config.yaml: an inventory that validates is committed, one that does not is refused.
# Needs Python with venv, and git.
set -eu
cd "$(dirname "$0")/../../.."
root=$(pwd)
cache=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
venv=$cache/pre-commit
test -x "$venv/bin/pre-commit" || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --requirement tests/real-clients/pre-commit/requirements.txt; }
node scripts/build-if-needed.mjs

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" PRE_COMMIT_HOME="$work/.cache" GIT_CONFIG_NOSYSTEM=1
cd "$work"
git init --quiet --initial-branch main site
cd site
git config user.email test@example.com
git config user.name test
# As npm leaves it.
mkdir -p node_modules/.bin inventory/prod
printf '#!/bin/sh\nexec node "%s/dist/bin.js" "$@"\n' "$root" > node_modules/.bin/ichor
chmod +x node_modules/.bin/ichor
echo node_modules/ > .gitignore
cp "$root/examples/ci/pre-commit-config.yaml" .pre-commit-config.yaml
cp -R "$root/examples/production/." inventory/prod
"$venv/bin/pre-commit" install > /dev/null

git add .
git commit --quiet --message 'a good inventory' > "$work/good" 2>&1 || { cat "$work/good" >&2; exit 1; }
grep -q 'ichor validate.*Passed' "$work/good"

echo 'controlplane_count: 3' >> inventory/prod/cluster.yaml
if git commit --quiet --all --message 'a bad one' > "$work/bad" 2>&1; then
  echo "pre-commit: a bad inventory was committed" >&2
  exit 1
fi
grep -q 'ichor validate.*Failed' "$work/bad"
grep -q 'controlplane_count' "$work/bad"
test "$(git rev-list --count HEAD)" = 1

git checkout --quiet inventory
echo '# site' > README.md
git add README.md
git commit --quiet --message 'nothing of ours' > "$work/other" 2>&1
grep -q 'ichor validate.*Skipped' "$work/other"
echo "ok: pre-commit runs ichor validate, and refuses a bad inventory"
