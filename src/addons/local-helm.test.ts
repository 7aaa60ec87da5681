import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLocalHelm } from './local-helm.js'

const signal = new AbortController().signal

/** A helm that writes down how it was called, or fails. */
function fakeHelm(body: string): { binary: string; seen: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-fake-helm-'))
  const binary = join(folder, 'helm')
  const seen = join(folder, 'seen')
  writeFileSync(binary, `#!/bin/sh\n${body.replaceAll('SEEN', seen)}\n`, { mode: 0o755 })
  return { binary, seen }
}

test('values and kubeconfig reach helm by private files that are gone afterwards', async () => {
  const { binary, seen } = fakeHelm(
    'stat -c %a "$2" "$KUBECONFIG" > SEEN; cat "$2" "$KUBECONFIG" >> SEEN; echo "$2" >> SEEN',
  )
  await createLocalHelm('the kubeconfig\n', binary)((file) => ['--values', file], { a: 1 }, signal)
  const [valuesMode, configMode, values, file = ''] = readFileSync(seen, 'utf8')
    .replace('}the', '}\nthe')
    .split('\n')
    .filter((line) => line !== 'the kubeconfig')
  expect([valuesMode, configMode, values]).toEqual(['600', '600', '{"a":1}'])
  expect(() => readFileSync(file)).toThrow()
})

test('what helm says is reported, with the way on', async () => {
  const { binary } = fakeHelm('echo "Error: chart not found" >&2; exit 1')
  const failure = createLocalHelm('', binary)(() => ['upgrade', '--install', 'a'], {}, signal)
  await expect(failure).rejects.toMatchObject({
    name: 'AddonFailed',
    message: expect.stringContaining('chart not found'),
  })
})

test('a computer without helm is reported so', async () => {
  const failure = createLocalHelm('', '/nowhere/helm')(() => ['upgrade'], {}, signal)
  await expect(failure).rejects.toMatchObject({ fix: expect.stringContaining('runs inside the cluster') })
})
