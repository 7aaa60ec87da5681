import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from '../cli/ichor.js'

let desk: Desk
beforeEach(() => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
})
afterEach(() => desk.clear())

const text = (path: string) => readFileSync(join(desk.folder, path), 'utf8')
const fine = async (...words: string[]) => {
  const ended = await desk.ichor(words)
  expect(`${ended.code} ${ended.stderr.split('\n').filter((line) => line.startsWith('error'))}`).toBe('0 ')
  return ended.stdout
}

test('secrets are made once, reported without being reported, and go back and forth', async () => {
  const made = await desk.ichor(['secrets', 'init'])
  expect(made.stderr).toContain('Created an age key at')
  expect(made.code).toBe(0)
  const again = await desk.ichor(['secrets', 'init'])
  expect(again.stderr).toContain('There are secrets already.')
  expect(again.code).toBe(1)

  const summary = JSON.parse(await fine('secrets', 'show', '--json'))
  expect(summary).toMatchObject({ version: 1, contract: 'v1.13', bootstrapped: false, values: [] })
  const revealed = await fine('secrets', 'show', '--reveal')
  expect(revealed).toContain('trustdinfo:')

  const piped = await desk.ichor(['secrets', 'show', '--reveal'])
  expect(piped.stderr).toContain('--out FILE writes a file that only you can read')
  execFileSync('git', ['init', '--quiet', desk.folder])
  for (const words of [
    ['secrets', 'show', '--reveal', '--out', 'copy.yaml'],
    ['secrets', 'decrypt', '--out', 'copy.yaml'],
  ]) {
    const written = await desk.ichor(words)
    expect(written.stderr).toContain('git does not ignore')
    expect(statSync(join(desk.folder, 'copy.yaml')).mode & 0o777).toBe(0o600)
    expect(text('copy.yaml')).toContain('trustdinfo:')
  }
  expect(existsSync(join(desk.folder, 'secrets.sops.yaml'))).toBe(true)

  desk.write('.gitignore', 'node_modules/\n')
  const decrypted = await desk.ichor(['secrets', 'decrypt'])
  expect([decrypted.code, decrypted.stderr]).toEqual([0, expect.not.stringContaining('git does not ignore')])
  expect(text('.gitignore')).toMatch(/^node_modules\/\n[\s\S]*^secrets\.yaml$/m)
  expect(statSync(join(desk.folder, 'secrets.yaml')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(desk.folder, 'secrets.sops.yaml'))).toBe(false)
  await fine('secrets', 'encrypt')
  const sealed = text('secrets.sops.yaml')
  await fine('secrets', 'rekey')
  expect(text('secrets.sops.yaml')).not.toBe(sealed)
  expect(await fine('secrets', 'show', '--reveal')).toBe(revealed)

  desk.write('other/cluster.yaml', smallInventory)
  desk.write('bundle.yaml', revealed)
  await fine('secrets', 'import', 'bundle.yaml', '-i', 'other', '--contract', 'v1.8')
  expect(JSON.parse(await fine('secrets', 'show', '-i', 'other', '--json'))).toMatchObject({
    cluster: summary.cluster,
    contract: 'v1.8',
  })
  expect(await fine('secrets', 'import', 'bundle.yaml', '-i', 'other')).toContain('already')
})

test('the same inventory and secrets render the same bytes, readable by their owner alone', async () => {
  await fine('secrets', 'init')
  const files = (await fine('render', '--out', 'one', '--with-secrets')).trim().split('\n')
  await fine('render', '--out', 'one', '--with-secrets')
  const first = files.map(text)
  await fine('render', '--out', 'one')
  expect(files.map(text)).toEqual(first)
  expect(files).toContain('one/talos/generated/dev-cp-1.yaml')
  expect(files).toContain('one/secrets.yaml')
  expect(statSync(join(desk.folder, 'one/talos/generated/dev-cp-1.yaml')).mode & 0o777).toBe(0o600)
  const variables = files.find((path) => path.endsWith('talos-machines.auto.tfvars.json')) ?? ''
  expect(JSON.parse(text(variables)).talos_machines['dev-wk-1']).toMatchObject({
    vmid: 3000,
    host: 'pve1',
    ip: '10.0.10.20',
  })
})

test('client access is printed, or merged into a file without losing what was there', async () => {
  await fine('secrets', 'init')
  expect(await fine('talosconfig', '--roles', 'os:reader', '--ttl', '8h')).toContain('context: dev\n')
  desk.write('.kube/config', 'apiVersion: v1\nkind: Config\n# mine\ncurrent-context: other\ncontexts: []\n')
  await fine('kubeconfig', '--merge')
  expect(text('.kube/config')).toMatch(/# mine\ncurrent-context: other[\s\S]*server: https:\/\/10\.0\.10\.10:6443/)
  await fine('kubeconfig', '--out', '.kube/config', '--use')
  expect(text('.kube/config')).toContain('current-context: admin@dev')
  await fine('kubeconfig', '--merge', '--exec')
  expect(text('.kube/config')).not.toContain('client-key-data')
  const { kind, status } = JSON.parse(await fine('credential', '--lifetime', '2h'))
  expect(kind).toBe('ExecCredential')
  const hoursLeft = (new Date(status.expirationTimestamp).getTime() - Date.now()) / 3_600_000
  expect(Math.round(hoursLeft)).toBe(2)
  expect(
    new X509Certificate(status.clientCertificateData).checkPrivateKey(createPrivateKey(status.clientKeyData)),
  ).toBe(true)
  await fine('talosconfig', '--merge')
  expect(text('.talos/config')).toContain('- 10.0.10.10')
  expect((await desk.ichor(['talosconfig', '--role', 'root'])).code).toBe(2)
})
