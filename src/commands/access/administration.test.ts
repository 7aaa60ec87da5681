import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../../../tests/support/lab.js'
import { aProgram, type Program } from '../../../tests/support/program.js'

let program: Program
afterEach(() => program.close())

const firewalled = clusterYaml({
  controlPlanes: 1,
  workers: 0,
  extra: 'secrets: plain\nfirewall: { enabled: true, admin_networks: [10.99.0.0/24] }\n',
})

const proxmox = () => program.lab().lab.save().proxmox.state
const ownGroups = () => Object.keys(proxmox().firewall.cluster?.groups ?? {})

async function access(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await program.ichor(['access', '--yes', ...words])
  expect(code, stderr).toBe(0)
  return `${stderr}${stdout}`
}

test('groups that a token may not write are shown, written once, follow the policy, and are removed at the end', async () => {
  program = await aProgram({ 'cluster.yaml': firewalled }, { topology: aTopology(), speed: 500 })
  expect(await access()).toContain('make the security group of control planes in Proxmox')
  const first = ownGroups()
  expect(first).toHaveLength(2)
  expect(await access()).not.toContain('security group')

  await writeFile(join(program.folder, 'cluster.yaml'), firewalled.replace('10.99.0.0/24', '10.98.0.0/24'))
  const again = await access()
  expect(again).toContain('make the security group of workers')
  expect(again).toContain('remove 2 security groups')
  expect(ownGroups()).toHaveLength(2)
  expect(ownGroups()).not.toEqual(expect.arrayContaining(first))

  const { groups } = proxmox().firewall.cluster ?? {}
  expect(Object.values(groups ?? {}).every(({ rules }) => rules.length > 0)).toBe(true)
  const removed = await access('--remove')
  expect(removed).toContain('removed user ichor-dev@pve with its token and permissions')
  expect(ownGroups()).toEqual([])
  expect(Object.keys(proxmox().access.users)).not.toContain('ichor-dev@pve')
  expect(Object.keys(proxmox().access.roles)).toEqual([])
  expect(Object.keys(proxmox().pools)).toEqual([])
  expect(await access('--remove')).toContain('There was nothing to remove.')
})
