import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, smallInventory } from '../cli/ichor.js'
import { approle, startVaultStandIn, type VaultStandIn } from '../support/vault-stand-in.js'

/** The lab is reached as a real Proxmox would be, without `--lab`: only so are secrets and token those of the inventory. */
const desk = aDesk()
let vault: VaultStandIn
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  vault = await startVaultStandIn()
  env = { VAULT_ADDR: vault.address, VAULT_ROLE_ID: approle.roleId, VAULT_SECRET_ID: approle.secretId }
  desk.write('cluster.yaml', smallInventory)
  const started = await desk.ichor(['lab', 'start', '--detach', '--speed', '50', '-i', 'cluster.yaml'])
  expect(started.code, started.stderr).toBe(0)
  const info = JSON.parse((await desk.ichor(['lab', 'status', '--json'])).stdout)
  vault.put('secret/proxmox', { dev: `${info.token_id}=${info.token_secret}` })
  const { host } = new URL(info.endpoint)
  env.ICHOR_PROXMOX_BOUND_TO = `${host} fingerprint:${info.fingerprint} via socks5://${info.socks.host}:${info.socks.port}`
  const [head, proxmox] = smallInventory.split('proxmox:\n')
  const reached = [
    `  endpoint: ${info.endpoint}`,
    `  fingerprint: ${info.fingerprint}`,
    `  socks: socks5://${info.socks.host}:${info.socks.port}`,
    '  token_secret: vault://secret/proxmox#dev',
  ]
  const kept = ['secrets: vault://secret/clusters/dev', `talos:\n  factory_url: ${info.factory}`]
  const recipient = 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj'
  const backup = [`backup:\n  etcd:\n    recipients: [${recipient}]`]
  desk.write('cluster.yaml', [`${head}proxmox:`, ...reached, proxmox?.trimEnd(), ...kept, ...backup, ''].join('\n'))
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  await vault.close()
  desk.clear()
})

const ichor = (...words: string[]) => desk.ichor(words, env)
const succeeds = async (...words: string[]) => {
  const { code, stdout, stderr } = await ichor(...words)
  expect(code, `ichor ${words.join(' ')}\n${stderr}`).toBe(0)
  return stdout
}

test('every verb that reads or writes secrets works with a bundle and a token in Vault', async () => {
  await succeeds('secrets', 'init')
  expect(Object.keys(vault.get('secret/clusters/dev') ?? {})).toEqual(['secrets.yaml'])
  await succeeds('validate')
  await succeeds('access', 'check')
  await succeeds('plan')
  await succeeds('up', '--yes')
  // From then on it stands in Vault where the token may be sent.
  delete env.ICHOR_PROXMOX_BOUND_TO
  await rm(join(desk.folder, '.local'), { recursive: true, force: true })
  for (const verb of [
    'status',
    // The clocks of a lab that is faster than the computer differ by seconds while they are read.
    'health --exit-zero',
    'capacity',
    'kubeconfig',
    'talosconfig',
    'render --out out',
    'secrets show',
  ]) {
    await succeeds(...verb.split(' '))
  }
  expect(await succeeds('credential')).toContain('BEGIN CERTIFICATE')
  await succeeds('backup')
  await succeeds('backup', 'list')
  await succeeds('scale', 'workers=2', '--yes')
  await succeeds('secrets', 'rotate', 'kubernetes-ca', '--yes')
  expect(String(vault.get('secret/clusters/dev')?.['secrets.yaml'])).toContain('phase: done')
  await succeeds('up', '--yes')
  const { code, stderr } = await ichor('secrets', 'rekey')
  expect([code, stderr]).toEqual([2, expect.stringContaining('not in a file')])

  vault.seal()
  const sealed = await ichor('plan')
  expect([sealed.code, sealed.stderr]).toEqual([1, expect.stringContaining('Vault is sealed.')])
  vault.unseal()
  await succeeds('destroy', '--yes', '--delete-data')
  expect(vault.unknown).toEqual([])
})
