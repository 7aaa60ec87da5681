import { cp, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { SavedLab } from '../../src/lab/index.js'
import { type BrokenSituation, brokenSituations } from '../support/broken-situations.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { printedFixes, problemsIn } from '../support/printed-commands.js'
import { aProgram, type Program } from '../support/program.js'
import { typed } from '../support/somebody.js'

const options = { topology: aTopology({ hosts: 3 }), speed: 1000 }
const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 1 }) }
/** What each command may take of the computer's time. */
const patience = () => AbortSignal.timeout(300_000)

/** Made once; every situation begins as a copy. */
const built = new Map<BrokenSituation['from'], { readonly lab: SavedLab; readonly folder: string }>()
/** Situations in which a command was printed. */
const helped = new Set<string>()

async function keep(at: Program, name: BrokenSituation['from']): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-built-'))
  for (const file of await readdir(at.folder))
    if (file !== 'lab') await cp(join(at.folder, file), join(folder, file), { recursive: true })
  built.set(name, { lab: at.lab().lab.save(), folder })
}

beforeAll(async () => {
  const at = await aProgram(files, options)
  expect(await at.ichor(['up', '--yes'], {}, patience())).toMatchObject({ code: 0 })
  await keep(at, 'cluster')
  expect(await at.ichor(['backup'])).toMatchObject({ code: 0 })
  await keep(at, 'snapshot')
  await at.close()
})

async function from(name: BrokenSituation['from']): Promise<Program> {
  const saved = built.get(name)
  const at = await aProgram(files, { ...options, ...(saved === undefined ? {} : { resume: saved.lab }) })
  if (saved !== undefined) await cp(saved.folder, at.folder, { recursive: true })
  return at
}

async function isHealthy(at: Program): Promise<boolean> {
  const { stdout } = await at.ichor(['status', '--json'], {}, patience())
  const [status] = JSON.parse(`[${stdout.trim().split('\n').join(',')}]`) as {
    healthy?: boolean
    refusal?: unknown
    drift?: readonly unknown[]
  }[]
  return status?.healthy === true && !status.refusal && status.drift?.length === 0
}

/** The one command of root that a fix prints. */
async function asRoot(at: Program, text: string): Promise<void> {
  for (const [, vmid] of text.matchAll(/rm (?:\S+ )*?\/etc\/pve\/nodes\/\S+\/(\d+)\.conf/g))
    at.lab().lab.proxmox.trouble.removeVmFile(Number(vmid))
}

/** Runs the commands of a text, and those that they print in turn, until the cluster is healthy. */
async function follow(at: Program, text: string, log: string[], what: string): Promise<boolean> {
  const done = new Set<string>()
  const queue = [...(await printedFixes(text))]
  let count = 0
  for (let next = queue.shift(); next !== undefined && count < 12; next = queue.shift()) {
    const line = next.words.join(' ')
    if (next.placeholders.length > 0 || done.has(line)) continue
    done.add(line)
    count++
    helped.add(what)
    const said = await typed(at, next.words, patience())
    log.push(
      `$ ichor ${line}  (${said.code})\n${problemsIn(said.text)
        .map((problem) => `  ${problem}`)
        .join('\n')}`,
    )
    expect(said.text, `ichor ${line} can be typed as it is printed`).not.toMatch(/--help|This is a bug in ichor/)
    if (await isHealthy(at)) return true
    await asRoot(at, said.text)
    // What failed before may work now.
    if (said.code === 0) done.clear()
    queue.push(...(await printedFixes(said.text)))
  }
  return false
}

test.each(brokenSituations)(
  '$what: what ichor $verb prints leads on',
  async ({ what, verb, from: start = 'cluster', happen }) => {
    const at = await from(start)
    const log: string[] = []
    try {
      await happen(at)
      const seen: string[][] = []
      for (let look = 0; look < 5; look++) {
        const said = await typed(at, verb, patience())
        const problems = problemsIn(said.text)
        log.push(`$ ichor ${verb.join(' ')}  (${said.code})\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
        expect(seen, `a circle:\n${log.join('\n')}`).not.toContainEqual(problems)
        seen.push(problems)
        const fixes = await printedFixes(said.text)
        if (fixes.length === 0) return
        if (!(await follow(at, said.text, log, what))) continue
        const left = problemsIn((await typed(at, verb, patience())).text)
        if (left.length > 0) expect(seen, `the same again:\n${log.join('\n')}`).not.toContainEqual(left)
        return
      }
      expect.fail(`no end:\n${log.join('\n')}`)
    } finally {
      await at.close()
    }
  },
)

test('that was so in at least 40 situations', () => {
  expect([...helped].length).toBeGreaterThanOrEqual(40)
})
