import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigUnreadable, parseMachineConfig } from '../../../src/simulator/talos/config/documents.js'
import { validateStoredConfig } from '../../../src/simulator/talos/config/validate.js'
import { type Change, changesOf } from './changes.js'
import { richControlPlane, richWorker } from './rich-configs.js'

/** Each path of a config is made wrong in a few ways; the lab must refuse what Talos's library refuses, and nothing else. */
const tool = process.argv[2] ?? './talos-paths'
const allowedShare = 0.01
const folder = mkdtempSync(join(tmpdir(), 'ichor-talos-paths-'))

function run<T>(...args: readonly string[]): T {
  return JSON.parse(execFileSync(tool, args, { maxBuffer: 1 << 29 }).toString()) as T
}

/** What the library says of each, in order. */
function libraryVerdicts(changes: readonly Change[]): string[] {
  const file = join(folder, 'configs.json')
  writeFileSync(file, JSON.stringify(changes.map(({ text }) => text)))
  return run<string[]>('judge', file)
}

function labVerdict(text: string): string {
  try {
    const context = { talos: 'v1.13.9', platform: 'nocloud', isInstalled: true } as const
    return validateStoredConfig(parseMachineConfig(Buffer.from(text)), context).join('; ')
  } catch (error) {
    if (error instanceof ConfigUnreadable) return error.message
    throw error
  }
}

try {
  const generated = run<Record<string, string>>('generate')
  const configs = {
    ...generated,
    'rich control plane': richControlPlane(generated),
    'rich worker': richWorker(generated),
  }
  let total = 0
  let broken = 0
  const differences: string[] = []
  for (const [name, text] of Object.entries(configs)) {
    const changes = [{ title: 'as it is', text }, ...changesOf(text)]
    const verdicts = libraryVerdicts(changes)
    total += changes.length
    for (const [n, { title, text: changedText }] of changes.entries()) {
      const [library = '', lab] = [verdicts[n], labVerdict(changedText)]
      if (library.startsWith('panic: ') && ++broken > 0) continue
      if ((library === '') === (lab === '')) continue
      differences.push(
        `${name}, ${title}\n      library: ${library || 'accepted'}\n      lab:     ${lab || 'accepted'}`,
      )
    }
  }
  for (const text of differences) console.log(`DIFFERS  ${text.replace(/(.{300}).*/g, '$1')}`)
  const share = differences.length / total
  console.log(`${broken} of them break the library itself and are not counted as different.`)
  console.log(`talos-paths: ${total} changes, ${differences.length} differ (${(share * 100).toFixed(2)} %)`)
  process.exitCode = share <= allowedShare ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
