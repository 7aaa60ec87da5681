// Drives the page of `ichor ui` with Debian's Chromium, which it installs if it is missing, or with the one that CHROMIUM names.
//   node scripts/browser.mjs [--smoke | --pictures]
// Screenshots are kept in dist-browser; --pictures makes those of the README again and puts them into docs.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'

if (process.env.CHROMIUM === undefined && !existsSync('/usr/bin/chromium')) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo']
  const apt = [...sudo, 'apt-get', '-qq', '-y']
  const run = (...args) => spawnSync(apt[0], [...apt.slice(1), ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  run('update')
  const { status } = run('install', '--no-install-recommends', 'chromium', 'fonts-dejavu-core')
  if (status !== 0) throw new Error('Chromium cannot be installed: apt-get install chromium')
}
const makesPictures = process.argv.includes('--pictures')
const chosen = makesPictures
  ? ['tests/browser/pictures.test.ts']
  : process.argv.includes('--smoke')
    ? ['-t', '^smoke']
    : []
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'vitest.browser.config.ts', ...chosen], {
  stdio: 'inherit',
})
if (makesPictures && status === 0)
  for (const theme of ['light', 'dark'])
    copyFileSync(`dist-browser/dashboard-${theme}.png`, `docs/dashboard-${theme}.png`)
process.exitCode = status ?? 1
