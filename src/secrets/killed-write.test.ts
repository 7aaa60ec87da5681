import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { generateBundle } from './generate.js'
import { openSecretsStore } from './store.js'

const here = fileURLToPath(new URL('.', import.meta.url))

/** A program that writes secrets in a loop and reports each completed write. */
function buildWriter(outfile: string): void {
  const contents = `
    import { openSecretsStore } from './store.js'
    const [folder, home, start] = process.argv.slice(2)
    const store = openSecretsStore({ folder, env: { HOME: home }, notify: () => {} })
    for (let count = Number(start); ; count++) {
      await store.remember({ values: { count: String(count) } })
      process.send(count)
    }`
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent' } as const
  buildSync({ stdin: { contents, resolveDir: here, loader: 'ts' }, outfile, ...options })
}

test('a writer that is killed again and again leaves the old secrets or the new ones, never half of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-killed-'))
  const writer = join(here, '../../node_modules/.cache/ichor-tests', `${process.pid}.mjs`)
  try {
    buildWriter(writer)
    const bundle = await generateBundle('v1.6')
    const store = openSecretsStore({ folder, env: { HOME: folder }, notify: () => {} })
    await store.create({ bundle, memory: { bootstrapped: false, values: { count: '0' } } })
    let remembered = 0
    for (let round = 0; round < 6; round++) {
      const child = fork(writer, [folder, folder, String(remembered + 1)])
      child.on('message', (count) => {
        remembered = Number(count)
      })
      await once(child, 'message')
      setTimeout(() => child.kill('SIGKILL'), round * 5)
      await once(child, 'exit')
      const found = await store.find()
      expect(found?.bundle).toEqual(bundle)
      expect(Number(found?.memory.values.count)).toBeGreaterThanOrEqual(remembered)
      remembered = Number(found?.memory.values.count)
    }
  } finally {
    await rm(folder, { recursive: true })
    await rm(writer, { force: true })
  }
})
