import { afterEach, expect, test } from 'vitest'
import { writeLabFile } from '../../src/lab/lab-file.js'
import type { ApiToken } from '../../src/proxmox/model/api-token.js'
import { aForeignMachine } from '../support/foreign-cluster.js'
import { aForeignEnvironment, type ForeignEnvironment } from '../support/foreign-environment.js'

let foreign: ForeignEnvironment
afterEach(() => foreign.program.close())

const machines = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker'), aForeignMachine(3, 'worker')]
const pool = 'ichor-homelab'
const access = (...words: readonly string[]) => foreign.env('access', ...words, '--yes')
const members = async (id: string) => (await foreign.world.proxmox.pools.find(id, foreign.signal))?.vmids
const state = () => foreign.program.lab().lab.save().proxmox.state
const calls = () => foreign.changes().length

async function putInto(theirs: string, vmid: number): Promise<void> {
  const { pools } = foreign.world.proxmox
  await pools.create(theirs, 'of somebody else', foreign.signal)
  await pools.addVm(theirs, vmid, foreign.signal)
}

/** From here on, commands have no other. */
async function useToken({ id, secret }: ApiToken): Promise<void> {
  await writeLabFile(foreign.program.env, { ...foreign.program.lab().info, token_id: id, token_secret: secret })
}

function printedToken(stdout: string): ApiToken {
  const [, id = '', secret = ''] = /PROXMOX_VE_API_TOKEN='([^=]+)=([^']+)'/.exec(stdout) ?? []
  return { id, secret }
}

/** Of a user that may look at everything. */
async function anAuditor(): Promise<ApiToken> {
  const { access: calls } = foreign.world.proxmox
  const user = 'auditor@pve'
  await calls.createUser(user, '', foreign.signal)
  await calls.grant({ path: '/', kind: 'user', subject: user, role: 'PVEAuditor', propagate: true }, foreign.signal)
  return calls.createToken(user, { name: 'look', separated: false }, foreign.signal)
}

test('an administrator moves the VMs once, and a token that sees nothing else takes the cluster over', async () => {
  foreign = await aForeignEnvironment(machines)
  await putInto('theirs', 702)
  const job = { id: 'nightly', schedule: '02:00', storage: 'local', enabled: true, settings: {} }
  await foreign.world.proxmox.backup.setJob({ ...job, what: { pool: 'theirs' } }, foreign.signal)
  const info = foreign.program.lab().info
  await useToken(await anAuditor())
  expect(await foreign.adopt('--strict')).toMatchObject({ code: 0 })
  await writeLabFile(foreign.program.env, info)

  const before = calls()
  expect(await access('--adopt')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/VM 702 of talos-w2 is in the pool theirs[\s\S]*--adopt --move 702/),
  })
  expect(calls()).toBe(before)

  const moved = await access('--adopt', '--move', '702')
  expect(moved).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('moved VM 701 (talos-c1) into ichor-homelab'),
  })
  expect(moved.stderr).toMatch(/VM 702 \(talos-w2\), out of theirs\n +leaves the backup jobs nightly/)
  expect(moved.stdout).toContain('pvesh set /pools --poolid theirs --vms 702 --allow-move 1')
  expect([await members(pool), await members('theirs')]).toEqual([[701, 702, 703], []])
  expect(await Promise.all(machines.map(foreign.isMarked))).toEqual([false, false, false])

  await useToken(printedToken(moved.stdout))
  const restarts = foreign.restarts()
  expect(await foreign.env('up', '--yes')).toMatchObject({ code: 0 })
  expect((await foreign.env('plan')).stdout).toContain('Nothing to do')
  expect(await Promise.all(machines.map(foreign.isMarked))).toEqual([true, true, true])
  expect(foreign.restarts()).toBe(restarts)

  await writeLabFile(foreign.program.env, info)
  expect((await access('--adopt')).stdout).not.toContain('moved VM')
  expect(await foreign.program.run(['adopt', '--abort', '--yes', '--out', 'env', '--lab'])).toMatchObject({ code: 0 })
  expect(await access('--remove')).toMatchObject({ code: 0, stdout: expect.stringContaining(`removed pool ${pool}`) })
  expect(await members(pool)).toBeUndefined()
}, 300_000)

test('access that was cut off between two VMs is finished by the next one, and undone before the first up', async () => {
  foreign = await aForeignEnvironment(machines)
  expect(await foreign.adopt('--strict')).toMatchObject({ code: 0 })
  expect(await access()).toMatchObject({ code: 0 })
  const { faults } = foreign.program.lab().lab
  const moved: number[] = []
  for (let attempt = 0; attempt < 12 && moved.at(-1) !== 3; attempt++) {
    // Each one gets a little further.
    faults.add({
      match: { nthMutating: 1 + (attempt % 4) },
      action: { kind: 'status', status: 500, message: 'cut off' },
    })
    await access('--adopt')
    faults.clear()
    moved.push((await members(pool))?.length ?? 0)
  }
  expect(moved[0]).toBe(0)
  expect(moved.some((count) => count > 0 && count < 3)).toBe(true)
  expect((await access('--adopt')).code).toBe(0)
  expect(await members(pool)).toEqual([701, 702, 703])

  const removed = await access('--remove')
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('took VM 702 (talos-w2) out of the pool') })
  expect(await members(pool)).toBeUndefined()
  expect(Object.keys(state().access.users)).not.toContain('ichor-homelab@pve')
}, 300_000)

test('a VM whose node does not show that it is the machine is not moved unless it is named', async () => {
  foreign = await aForeignEnvironment(machines)
  const [, , off] = machines
  if (off === undefined) throw new Error('there are three machines')
  await foreign.adopt('--strict')
  await foreign.power(off, 'stop')
  const some = await access('--adopt')
  expect(some).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('VM 703 (talos-w3) stays where it is: it is off'),
  })
  expect(await members(pool)).toEqual([701, 702])
  expect(await access('--adopt', '--move', '703')).toMatchObject({ code: 0 })
  expect(await members(pool)).toEqual([701, 702, 703])
}, 300_000)
