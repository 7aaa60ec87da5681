// Records `ichor up` and `ichor status` in the lab, in a real terminal (tmux), and draws docs/up.svg: node scripts/record-up.mjs [FILE]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { generateIdentity } from 'age-encryption'
import { movingTerminal } from './moving-terminal.mjs'

const out = resolve(process.argv[2] ?? 'docs/up.svg')
const size = { columns: 90, rows: 24 }
const limitMs = 300_000
const folder = mkdtempSync(join(tmpdir(), 'ichor-record-'))
const bin = resolve('dist/bin.js')
const env = {
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, '.config'),
  XDG_STATE_HOME: join(folder, '.state'),
  ICHOR_LAB_DIR: join(folder, '.lab'),
  PS1: '$ ',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  HISTFILE: '/dev/null',
}
const socket = `ichor-record-${process.pid}`
const tmux = (...words) => execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8' })
const screen = () => tmux('capture-pane', '-e', '-p').split('\n').slice(0, size.rows)
const plain = (lines) => lines.map((line) => stripVTControlCharacters(line).trimEnd())
const type = (line) => {
  tmux('send-keys', '-l', line)
  tmux('send-keys', 'Enter')
}

/** What the screen shows until `isEnd`, each picture with the time at which it appeared. */
async function record(isEnd) {
  const began = performance.now()
  const frames = []
  let last = ''
  while (performance.now() - began < limitMs) {
    const lines = screen()
    if (lines.join('\n') !== last) frames.push({ at: performance.now() - began, lines })
    last = lines.join('\n')
    if (isEnd(plain(lines))) return frames
    await wait(100)
  }
  throw new Error(`The end did not come:\n${plain(screen()).join('\n')}`)
}

const run = (...words) =>
  execFileSync(process.execPath, [bin, ...words], { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' })

try {
  const readme = readFileSync('README.md', 'utf8')
  writeFileSync(join(folder, 'cluster.yaml'), /```yaml\n(# cluster\.yaml\n[\s\S]*?)```/.exec(readme)[1])
  // As somebody has it who made a cluster before.
  const keys = join(folder, '.config', 'sops', 'age')
  mkdirSync(keys, { recursive: true })
  writeFileSync(join(keys, 'keys.txt'), `${await generateIdentity()}\n`, { mode: 0o600 })
  run('lab', 'start', '-i', '.', '--detach', '--speed', '12')
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const shell = ['env', '--unset=CI', ...variables, 'bash', '--norc', '--noprofile']
  const window = ['-x', String(size.columns), '-y', String(size.rows), '-c', folder]
  tmux('-f', '/dev/null', 'new-session', '-d', ...window, ...shell)
  type(`ichor() { node ${bin} "$@"; }; clear`)
  await wait(1000)
  const isPrompt = (lines) => lines.findLast((line) => line !== '') === '$'
  type('ichor up --lab --yes')
  await wait(300)
  const running = await record(isPrompt)
  type('clear; ichor status --lab')
  await wait(300)
  const ended = await record(isPrompt)
  writeFileSync(
    out,
    movingTerminal('ichor up builds a cluster, and ichor status shows it', size, running, ended.at(-1)),
  )
  process.stdout.write(`${out}: ${running.length + 1} pictures\n`)
} finally {
  run('lab', 'stop')
  try {
    tmux('kill-server')
  } catch {
    // No terminal was opened.
  }
  rmSync(folder, { recursive: true, force: true })
}
