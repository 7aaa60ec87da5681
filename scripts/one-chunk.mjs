import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * An esbuild plugin that keeps together what nearly every command needs. By itself, esbuild cuts a bundle wherever two commands differ:
 * a command would load some eighty files, which takes longer than what it does. So every module that is loaded lazily depends on these
 * roots, and the roots load each other at once. `apart` are those that must stay small. What every start needs, the `frame`, is a chunk
 * of its own, on which every entry point depends, too.
 */
export async function oneChunk(options, { frame, roots, apart }) {
  const { metafile } = await build({ ...options, write: false, metafile: true })
  const shared = closureOf(metafile, roots)
  const lazy = new Set(importsOf(metafile, Object.keys(metafile.inputs), 'dynamic-import'))
  const entries = Object.values(options.entryPoints)
  const chunks = { 'one-chunk': roots, 'frame-chunk': frame }
  return {
    name: 'one-chunk',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(one|frame)-chunk$/ }, ({ path }) => ({ path, namespace: 'chunk' }))
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: chunks[path].map((file) => `import ${JSON.stringify(resolve(file))}`).join('\n'),
        resolveDir: resolve('.'),
      }))
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const file = path.slice(resolve('.').length + 1)
        // Of a whole namespace esbuild leaves out what is not used, such as zod's forty languages.
        const text = readFileSync(path, 'utf8').replace("import { z } from 'zod'", "import * as z from 'zod'")
        const whole = apart.includes(file) ? text : loadAtOnce(text, file, shared)
        const needsShared = lazy.has(file) && !shared.has(file) && !apart.includes(file)
        const needsFrame = lazy.has(file) || entries.includes(file)
        const needed = [...(needsShared ? ['one-chunk'] : []), ...(needsFrame ? ['frame-chunk'] : [])]
        return { contents: [whole, ...needed.map((name) => `import '${name}'`)].join('\n'), loader: 'ts' }
      })
    },
  }
}

function closureOf(metafile, roots) {
  const found = new Set()
  const open = [...roots]
  while (open.length > 0) {
    const file = open.pop()
    if (found.has(file)) continue
    found.add(file)
    open.push(...importsOf(metafile, [file], 'import-statement'))
  }
  return found
}

function importsOf({ inputs }, files, wanted) {
  return files.flatMap((file) =>
    (inputs[file]?.imports ?? []).filter(({ kind, external }) => kind === wanted && !external).map(({ path }) => path),
  )
}

/** `import('./x.js')` of what is there anyway becomes an import of the file. */
function loadAtOnce(text, file, shared) {
  const heads = []
  const body = text.replaceAll(/\bimport\('(\.[^']+)\.js'\)/g, (whole, path) => {
    if (!shared.has(join(dirname(file), `${path}.ts`))) return whole
    heads.push(`import * as loaded${heads.length} from '${path}.js'`)
    return `Promise.resolve(loaded${heads.length - 1})`
  })
  return [...heads, body].join('\n')
}
