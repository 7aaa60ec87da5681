import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Goals } from './plan-case.js'

const source = resolve(import.meta.dirname, '../../src')
const goalsFile = 'operations/goals.ts'
/** The files that a patch may touch: of everything else there is one copy. */
const files = [
  goalsFile,
  ...['plan', 'rounds', 'capabilities', 'findings/refusals'].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  ),
]

/** Changes the text of one file, by its path in `src`. */
export type Patch = readonly [file: string, change: (text: string) => string]

/** A copy of the planner with patches, in the temporary folder: the files that they touch, and those that import them. */
export async function patchedPlanner(patches: readonly Patch[]): Promise<Goals> {
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
  for (const [file, change] of patches) {
    const before = texts.get(file) ?? ''
    const after = change(before)
    if (after === before) throw new Error(`the patch of ${file} changes nothing`)
    texts.set(file, after)
  }
  const copied = withImporters(new Set(patches.map(([file]) => file)), texts)
  const folder = mkdtempSync(join(tmpdir(), 'ichor-planner-'))
  for (const file of copied) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(
      join(folder, file),
      rewired(texts.get(file) ?? '', file, (other) => !copied.has(other)),
    )
  }
  return await import(pathToFileURL(join(folder, goalsFile)).href)
}

function withImporters(touched: Set<string>, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set(touched)
  let before = 0
  while (before < found.size) {
    before = found.size
    for (const [file, text] of texts) if (importsOf(text, file).some((other) => found.has(other))) found.add(file)
  }
  return found.add(goalsFile)
}

function importsOf(text: string, file: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => moduleAt(path, file))
}

/** `plan/draft.ts` for `./draft.js` in `plan/turns.ts`. */
function moduleAt(path: string, file: string): string {
  return join(dirname(file), path).replace(/\.js$/, '.ts')
}

/** The text with absolute imports of what is not copied. */
function rewired(text: string, file: string, isElsewhere: (file: string) => boolean): string {
  return text.replaceAll(/from '(\.[^']+)'/g, (whole, path: string) => {
    const other = moduleAt(path, file)
    return isElsewhere(other) ? `from '${join(source, other)}'` : whole
  })
}
