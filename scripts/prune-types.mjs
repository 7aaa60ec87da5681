import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Removes declarations that no entry point leads to: nobody can import them. */
export function pruneTypes(folder, entries) {
  const kept = reachable(folder, entries)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && path.endsWith('.d.ts') && !kept.has(path)) rmSync(path)
  }
  removeEmpty(folder)
}

function reachable(folder, entries) {
  const kept = new Set()
  const open = entries.map((entry) => join(folder, entry))
  while (open.length > 0) {
    const file = open.pop()
    if (kept.has(file)) continue
    kept.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g)) {
      open.push(normalize(join(dirname(file), `${path}.d.ts`)))
    }
  }
  return kept
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
