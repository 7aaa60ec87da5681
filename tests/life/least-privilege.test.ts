import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { writeLabFile } from '../../src/lab/lab-file.js'
import type { Topology } from '../../src/simulator/index.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const GiB = 1024 ** 3
const plain = aTopology({ hosts: 3 })
const topology: Topology = {
  ...plain,
  hosts: plain.hosts.map((host) => ({
    ...host,
    bridges: [...host.bridges, { name: 'vmbr9', vlanAware: false, isolated: true }],
  })),
  storages: [
    { id: 'media', type: 'dir', content: ['iso', 'import'], shared: false, total: 200 * GiB },
    { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB },
    { id: 'pbs', type: 'dir', content: ['backup'], shared: true, total: 4000 * GiB },
  ],
  registries: [{ bridge: 'vmbr9', address: '10.99.0.2:5000' }],
  operator: '10.99.0.7',
}

const first = clusterYaml({ controlPlanes: 1, workers: 2 })
  .replace('v1.13.9', 'v1.13.8')
  .replace('datastore: local-lvm', 'datastore: ceph\n  token_secret: secret:proxmox.token')
  .concat("drill: { bridge: vmbr9, address: 10.99.0.10, mirror: 'http://10.99.0.2:5000' }\n")
const grown = `placement:
  ha: true
vm:
  startup: order=2
backup:
  machines: { datastore: pbs, schedule: 'sun 02:00', keep: 2, control_planes: true }
firewall:
  enabled: true
  talos: false
  admin_networks: [10.99.0.0/24]
  hosts: true
`

const user = 'ichor-dev@pve'

/** Commands go by the token that `ichor access` has made, as they would on a real Proxmox. */
async function useRunToken(): Promise<void> {
  const { world } = await program.connect()
  const [id = '', secret = ''] = ((await world.secrets.find())?.memory.values['proxmox.token'] ?? '').split('=')
  await writeLabFile(program.env, { ...program.lab().info, token_id: id, token_secret: secret })
}

/** An administrator on a computer with the inventory. */
async function grantAccess(): Promise<string> {
  await writeLabFile(program.env, program.lab().info)
  const { code, stdout, stderr } = await program.ichor(['access', '--yes'])
  expect(code, stderr).toBe(0)
  await useRunToken()
  return `${stderr}${stdout}`
}

const ownRequests = () =>
  program
    .lab()
    .lab.proxmox.requests()
    .filter((request) => request.user.startsWith(user))
const refused = () => ownRequests().flatMap(({ status, method, path }) => (status === 403 ? [`${method} ${path}`] : []))

async function done(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await program.ichor(words)
  expect({ words, code, refused: refused() }, stderr).toEqual({ words, code: 0, refused: [] })
  return `${stderr}${stdout}`
}

/** What the roles of the token hold on each path. */
function held(): string[] {
  const { acl, roles } = program.lab().lab.save().proxmox.state.access
  return acl
    .filter(({ ugid }) => ugid === user)
    .flatMap(({ path, roleid }) => (roles[roleid] ?? []).map((privilege) => `${privilege} on ${path}`))
    .sort()
}

/** What its requests have needed: on that path, or through what is over it. */
function used(): Set<string> {
  const checks = program.lab().lab.proxmox.passedChecks()
  const own = checks.filter(({ identity }) => identity.startsWith(user))
  return new Set(
    own.flatMap(({ path, pools, privilege }) =>
      [...pathsOver(path), ...pools].map((over) => `${privilege} on ${over}`),
    ),
  )
}

function pathsOver(path: string): string[] {
  const parent = path.split('/').slice(0, -1).join('/')
  return parent === '' ? [path] : [path, ...pathsOver(parent)]
}

test('the least-privilege token lives a whole life, and uses all that it holds', async () => {
  program = await aProgram({ 'cluster.yaml': first }, { topology, speed: 1000 })
  const write = (yaml: string) => writeFile(join(program.folder, 'cluster.yaml'), yaml)
  await grantAccess()
  expect(held().join()).not.toContain('Sys.Modify')
  await done('up', '--yes')
  expect(await done('access', 'check')).toContain('The token has all privileges')
  const everything = new Set(held())

  await done('scale', 'workers=3', '--yes')
  await done('scale', 'workers=2', '--yes')
  await done('replace', 'dev-wk-1', '--yes')
  await done('evacuate', 'pve2', '--yes')
  await done('evacuate', 'pve2', '--return', '--yes')
  await done('upgrade', '--talos', 'v1.13.9', '--yes')
  await done('shutdown', '--yes')
  await done('up', '--yes')
  await done('backup')
  await done('drill', '--yes')
  expect(held().join()).toContain('/pool/ichor-dev-drill')
  const { snapshots } = (await program.ichor(['backup', 'list', '--json'])).json().at(-1) as {
    snapshots: { name: string }[]
  }
  await done('restore', snapshots[0]?.name ?? '', '--over-healthy', '--yes')
  await done('secrets', 'rotate', 'talos-ca', '--yes')

  // What is for an administrator: the plan says so, and changes what it may.
  await write(`${first.replace('v1.13.8', 'v1.13.9')}${grown}`)
  const before = await done('plan')
  expect(before.replace(/\s+/g, ' ')).toMatch(/this token may not .* ichor access/)
  await grantAccess()
  await done('up', '--yes')
  await grantAccess()
  await done('up', '--yes')
  expect(await done('up', '--yes')).toContain('nothing to do')
  for (const privilege of held()) everything.add(privilege)
  const { state } = program.lab().lab.save().proxmox
  expect(Object.keys(state.sections.backup ?? {})).toEqual(['ichor-dev-machines'])
  expect(state.firewall.cluster?.options.enable).toBe('1')
  expect(Object.values(state.vms).map(({ config }) => config.startup)).toEqual(['order=2', 'order=2', 'order=2'])
  expect(held().join()).not.toContain('Sys.Modify')

  const destroyed = await done('destroy', '--yes')
  expect(destroyed.replace(/\s+/g, ' ')).toContain('ichor access --remove')
  expect(whatIsThere(program.lab().lab).vms).toEqual([])
  const uses = used()
  expect([...everything].filter((privilege) => !uses.has(privilege))).toEqual([])

  await writeLabFile(program.env, program.lab().info)
  expect(await program.ichor(['access', '--remove', '--yes'])).toMatchObject({ code: 0 })
  const left = program.lab().lab.save().proxmox.state
  expect(left.sections.backup ?? {}).toEqual({})
  expect({ ...left.firewall.cluster, options: {} }).toMatchObject({ groups: {}, ipsets: {}, rules: [] })
  expect(left.access.users[user]).toBeUndefined()
  expect(held()).toEqual([])
})
