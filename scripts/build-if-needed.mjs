// Builds dist/ unless it is newer than every source file.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const newest = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)

const built = existsSync('dist/bin.js') ? statSync('dist/bin.js').mtimeMs : 0
const others = ['package.json', 'scripts/build.mjs'].map((file) => statSync(file).mtimeMs)
if (built < Math.max(newest('src'), ...others)) await import('./build.mjs')
