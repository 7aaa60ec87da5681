import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { brokenWords, ghosts, openScreen, type Screen } from './screen.js'

const bin = resolve('dist/bin.js')
const inventory = `cluster_name: dev
control_plane_count: 1
worker_count: 2
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
proxmox:
  target_nodes: [pve1, pve2]
  datastore: local-lvm
`
const problems: string[] = []

/** A folder, a home and labs of its own; `ichor` is on its PATH. */
async function atDesk(width: number, work: (screen: Screen, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-terminal-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/ichor'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(join(folder, 'bin/ichor'), 0o755)
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_STATE_HOME: join(folder, '.state'),
    ICHOR_LAB_DIR: join(folder, '.lab'),
    PS1: '> ',
    LANG: 'C.UTF-8',
  }
  const screen = openScreen(width, env, folder)
  try {
    // What is typed before the shell listens would be on the screen twice.
    await screen.untilPrompt(30)
    await work(screen, folder)
  } finally {
    screen.close()
    spawnSync(process.execPath, [bin, 'lab', 'stop'], { env: { ...process.env, ...env }, stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
}

function check(story: string, screen: Screen, { isEnd = true } = {}): void {
  const lines = screen.lines()
  for (const line of brokenWords(lines, screen.width())) problems.push(`${story}: broken inside a word: ${line}`)
  if (!isEnd) return
  for (const line of ghosts(lines)) problems.push(`${story}: left behind: ${line}`)
  if (!screen.isCursorShown()) problems.push(`${story}: the cursor is hidden`)
}

async function helpStory(screen: Screen): Promise<void> {
  for (const words of ['--help', 'help up', 'help lab fault', 'help render']) {
    screen.type(`clear; ichor ${words}`)
    await screen.untilPrompt(60)
    check(`ichor ${words} at ${screen.width()}`, screen)
  }
}

async function initStory(screen: Screen): Promise<void> {
  screen.type('ichor init --lab')
  await screen.until(/Name of the cluster/, 120)
  screen.press('Enter')
  await screen.until(/Hosts of the machines/, 120)
  for (const key of ['Down', 'Space', 'Space', 'Enter']) screen.press(key)
  for (const question of [
    /Network of/,
    /Gateway/,
    /Control planes/,
    /workers/,
    /Address of the API/,
    /Write cluster/,
  ]) {
    await screen.until(question, 120)
    check(`ichor init at ${screen.width()}: ${question.source}`, screen, { isEnd: false })
    screen.press('Enter')
  }
  await screen.until(/wrote cluster\.yaml/, 120)
  check(`ichor init at ${screen.width()}`, screen)
}

async function upStory(screen: Screen, folder: string): Promise<void> {
  writeFileSync(join(folder, 'cluster.yaml'), inventory)
  screen.type('clear; ichor up --lab')
  await screen.until(/\[y\/N\]/, 120)
  check(`the plan at ${screen.width()}`, screen)
  screen.press('y')
  screen.press('Enter')
  for (let look = 0; look < 5; look++) {
    await wait(700)
    check(`ichor up at ${screen.width()}`, screen, { isEnd: false })
  }
  await screen.until(/is healthy/, 240)
  await screen.untilPrompt(30)
  check(`the end of ichor up at ${screen.width()}`, screen)
}

/** Its picture begins at the top of the screen, where tmux keeps what is cleared. */
async function backupStory(screen: Screen): Promise<void> {
  screen.type('clear; ichor backup --lab')
  await screen.until(/revision/, 120)
  await screen.untilPrompt(30)
  check(`ichor backup at ${screen.width()}`, screen)
}

async function failingStory(screen: Screen): Promise<void> {
  screen.type('clear; ichor lab fault host-offline --host pve2; ichor up --lab --yes')
  await screen.until(/^(error|fix) /, 240)
  await screen.untilPrompt(60)
  check(`a failing up at ${screen.width()}`, screen)
}

async function interruptStory(screen: Screen, folder: string): Promise<void> {
  writeFileSync(join(folder, 'cluster.yaml'), inventory)
  screen.type('ichor up --lab --yes')
  await screen.until(/create VM|creating|download|image/i, 120)
  await wait(1500)
  screen.press('C-c')
  await screen.until(/^(error|fix|where) /, 120)
  await screen.untilPrompt(60)
  check(`Ctrl-C at ${screen.width()}`, screen)
}

async function resizeStory(screen: Screen, width: number): Promise<void> {
  screen.type('clear; ichor up --lab --yes')
  for (const wanted of [width + 40, Math.max(30, Math.floor(width / 2)), Math.max(34, width - 20), width]) {
    await wait(900)
    screen.resize(wanted)
  }
  await screen.until(/is healthy|nothing to do/, 240)
  await screen.untilPrompt(30)
  // Lines that were printed at another width are wrapped again by tmux: only what is left behind is judged.
  for (const line of ghosts(screen.lines())) problems.push(`a resize from ${width}: left behind: ${line}`)
  if (!screen.isCursorShown()) problems.push(`a resize from ${width}: the cursor is hidden`)
}

/** The screen of its own is gone afterwards, with everything that was on it. */
async function watchStory(screen: Screen, width: number): Promise<void> {
  for (const end of ['C-c', 'q', 'kill']) {
    screen.type(`clear; echo before; ichor status --lab --watch`)
    // What was on the screen before has the name, too.
    await screen.untilAlternate(120)
    await screen.until(/dev-wk-2/, 120)
    for (const wanted of [width + 30, Math.max(30, width - 10), width]) {
      screen.resize(wanted)
      await wait(500)
    }
    if (!screen.isAlternate()) problems.push(`status --watch at ${width}: not on a screen of its own`)
    if (width >= 80 && !screen.lines().some((line) => /\d\d:\d\d:\d\d$/.test(line)))
      problems.push(`status --watch at ${width}: the last column is missing`)
    const wide = screen.lines().filter((line) => line.length > width)
    for (const line of wide) problems.push(`status --watch at ${width}: wider than the screen: ${line}`)
    if (end === 'kill') spawnSync('kill', ['-TERM', screen.foreground()])
    else screen.press(end)
    await screen.untilPrompt(30)
    const left = screen.lines().filter((line) => line !== '' && !/^> |^before$|^>$|Terminated/.test(line))
    for (const line of left) problems.push(`status --watch at ${width}, ended with ${end}: left behind: ${line}`)
    if (screen.isAlternate()) problems.push(`status --watch at ${width}, ended with ${end}: its screen is still there`)
    if (!screen.isCursorShown()) problems.push(`status --watch at ${width}, ended with ${end}: the cursor is hidden`)
  }
}

const words = process.argv.slice(2)
const timesAt = words.indexOf('--times')
const times = timesAt < 0 ? 1 : Number(words.splice(timesAt, 2)[1])
const widths = words.length === 0 ? [40, 80, 200] : words.map(Number)
if (!(times >= 1) || widths.some((width) => !(width >= 30)))
  throw new Error('usage: npm run terminal -- [--times N] [WIDTH]…')
for (let time = 1; time <= times; time++) {
  for (const width of widths) {
    process.stdout.write(`${time} of ${times}, ${width} columns: help, init, up, status --watch, failing up\n`)
    await atDesk(width, async (screen, folder) => {
      await helpStory(screen)
      await initStory(screen)
      await upStory(screen, folder)
      await backupStory(screen)
      await watchStory(screen, width)
      await failingStory(screen)
    })
    process.stdout.write(`${time} of ${times}, ${width} columns: Ctrl-C, resize\n`)
    await atDesk(width, async (screen, folder) => {
      await interruptStory(screen, folder)
      await resizeStory(screen, width)
    })
  }
}

const found = [...new Set(problems)]
process.stdout.write(
  found.length === 0 ? 'ok: nothing breaks inside a word, nothing is left behind\n' : `${found.join('\n')}\n`,
)
process.exitCode = found.length === 0 ? 0 : 1
