import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createLocalHelm } from './local-helm.js'

const signal = new AbortController().signal

const folders: string[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A helm that records its arguments, or fails. */
function fakeHelm(body: string): { binary: string; seen: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-fake-helm-'))
  folders.push(folder)
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

test('the error of helm is reported, with a fix', async () => {
  const { binary } = fakeHelm('echo "Error: chart not found" >&2; exit 1')
  const failure = createLocalHelm('', binary)(() => ['upgrade', '--install', 'a'], {}, signal)
  await expect(failure).rejects.toMatchObject({
    name: 'AddonFailed',
    message: expect.stringContaining('chart not found'),
  })
})

test('a computer without helm is reported so', async () => {
  const failure = createLocalHelm('', '/nowhere/helm')(() => ['upgrade'], {}, signal)
  await expect(failure).rejects.toMatchObject({ fix: expect.stringContaining('run it inside the cluster') })
})

test('helm gets none of our tokens, and nothing that leads it to another cluster', async () => {
  for (const name of ['PROXMOX_VE_API_TOKEN', 'VAULT_TOKEN', 'SOPS_AGE_KEY', 'HELM_KUBEAPISERVER', 'HELM_KUBETOKEN']) {
    vi.stubEnv(name, 'hunter22')
  }
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.lan:3128')
  const { binary, seen } = fakeHelm('env > SEEN')
  await createLocalHelm('', binary)(() => ['upgrade'], {}, signal)
  const env = readFileSync(seen, 'utf8')
  expect(env).not.toContain('hunter22')
  expect(env).toContain('HTTPS_PROXY=http://proxy.lan:3128')
  expect(env).toMatch(/^PATH=/m)
})

test('a second Ctrl-C, which ends the process at once, leaves no kubeconfig behind', async () => {
  const { binary, seen } = fakeHelm('echo "$KUBECONFIG" > SEEN.part; mv SEEN.part SEEN; sleep 5')
  const stop = new AbortController()
  const running = createLocalHelm('the kubeconfig\n', binary)(() => ['upgrade'], {}, stop.signal)
  await expect.poll(() => readable(seen)).toBeDefined()
  const file = readable(seen)?.trim() ?? ''
  expect(readable(file)).toBe('the kubeconfig\n')
  for (const onExit of process.listeners('exit')) if (onExit.name === 'removeAll') onExit(130)
  expect(readable(file)).toBeUndefined()
  stop.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
})

function readable(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
