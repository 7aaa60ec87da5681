import { afterEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/connect.js'
import type { RunEvent } from '../../src/events/event.js'
import { ProxmoxError } from '../../src/proxmox/model/proxmox-error.js'
import type { FaultRule } from '../../src/simulator/index.js'
import type { World } from '../../src/world.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'

let stage: Stage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) }
const aSmallStage = async () => {
  stage = await aStage({ topology: aTopology(), files, speed: 2000 })
  return stage
}

/** The error of Proxmox behind whatever the run ended with. */
function proxmoxErrorIn(thrown: unknown): ProxmoxError | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof ProxmoxError) return error
  }
  return undefined
}

async function failureOf(run: Promise<unknown>): Promise<Error & { where?: string; fix?: string }> {
  const thrown = await run.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof Error) return thrown
  throw new Error('It went well, and should not have.')
}

/** Whatever happened, the next run knows every VM that is there: it builds the cluster and takes all of it away again. */
async function expectNothingUnknown({ lab, up, destroy }: Stage): Promise<void> {
  await up({ forceUnlock: true })
  await destroy({ forceUnlock: true })
  expect(whatIsThere(lab).vms).toEqual([])
  expect(lab.proxmox.unknown()).toEqual([])
}

const create = { method: 'POST', path: '^/nodes/pve1/qemu$' } as const

describe.each<{ story: string; match: FaultRule['match']; action: FaultRule['action']; says: RegExp }>([
  { story: '401 in the middle of a run', match: create, action: status(401, 'permission denied'), says: /token|log/i },
  { story: '595 for a write', match: create, action: status(595, 'No route to host'), says: /pve1|host/ },
  { story: '596 for a write', match: create, action: status(596, 'Connection timed out'), says: /answer|time/ },
  { story: 'half an answer to a write', match: create, action: { kind: 'cut-stream' }, says: /answer/ },
  {
    story: 'a VMID taken between choice and use',
    match: create,
    action: status(500, "unable to create VM 2000 - VM 2000 already exists on node 'pve1'"),
    says: /2000|VMID/,
  },
])('$story', ({ match, action, says }) => {
  test('either the run goes on, or its error has method, path, meaning and fix; nothing unknown is left', async () => {
    const small = await aSmallStage()
    small.lab.faults.add({ match, action })
    const thrown = await small.up().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(small.lab.faults.list()[0]?.hits).toBe(1)
    if (thrown !== undefined) {
      const error = proxmoxErrorIn(thrown)
      expect(error?.where).toMatch(/(POST|GET) \/nodes\/pve1/)
      expect(`${error?.message} ${error?.fix}`).toMatch(says)
      expect(error?.fix).not.toBe('')
    }
    await expectNothingUnknown(small)
  })
})

test('a worker that dies under a creation leaves a stub that only root can remove: the next run names it and goes on', async () => {
  const small = await aSmallStage()
  small.lab.faults.add({ match: create, action: { kind: 'kill-task' } })
  await small.up().catch(() => undefined)
  expect(whatIsThere(small.lab).vms).toContain('2000 pve1 ')
  const { observed } = await small.plan()
  expect(JSON.stringify(observed.unverified)).toContain('2000')
  expect(await small.up({ forceUnlock: true })).toMatchObject({ outcome: expect.stringMatching(/done|nothing-to-do/) })
})

test('a storage that is full during the import is named, and the machine is known to the next run', async () => {
  const small = await aSmallStage()
  const fill = (freeBytes: number) => small.lab.proxmox.fillStorage('pve1', 'local-lvm', freeBytes)
  let done = 0
  const onEvent = (event: RunEvent) => {
    if (event.type !== 'step.finished' || event.outcome !== 'done') return
    done++
    if (event.step.startsWith('claim-machine')) fill(1024)
  }
  const error = await failureOf(small.up({ onEvent }))
  expect(`${error.message} ${error.fix}`).toMatch(/local-lvm/)
  expect(whatIsThere(small.lab).vms).toEqual(['2000 pve1 dev-cp-1'])
  expect(small.events.at(-1)).toMatchObject({ type: 'run.finished', outcome: 'failed', changed: done })
  fill(500 * 1024 ** 3)
  await expectNothingUnknown(small)
})

test('a host that falls silent under a task is waited for only so long, and the error says where to look', async () => {
  const small = await aSmallStage()
  const { world } = await small.connect()
  const stuck = { host: 'pve1', upid: 'UPID:pve1:00001234:00000001:6917C5A0:qmcreate:2000:root@pam!lab:' }
  small.lab.faults.add({
    match: { path: '/tasks/.*/status$' },
    action: status(596, 'Connection timed out'),
    times: 100_000,
  })
  const error = proxmoxErrorIn(await failureOf(world.proxmox.tasks.wait(stuck, AbortSignal.timeout(50_000))))
  expect(error?.where).toMatch(/GET \/nodes\/pve1\/tasks/)
  expect(error?.fix).not.toBe('')
})

test.each([
  { story: 'a wrong token', wrong: { tokenSecret: '00000000-0000-0000-0000-000000000000' }, says: /token/ },
  { story: 'a wrong fingerprint', wrong: { fingerprint: '00'.repeat(32) }, says: /certificate/ },
  { story: 'a closed port', wrong: { endpoint: 'https://10.0.10.1:8007' }, says: /8007/ },
  { story: 'a name that does not resolve', wrong: { endpoint: 'https://pve.nowhere:8006' }, says: /pve\.nowhere/ },
])('$story ends the run before anything is changed, with what to do', async ({ wrong, says }) => {
  const small = await aSmallStage()
  const { proxmox, socks, factoryUrl } = small.lab
  const { endpoint, tokenId, tokenSecret, fingerprint } = proxmox
  const lab = { endpoint, tokenId, tokenSecret, fingerprint, socks, factory: factoryUrl, speed: 2000, ...wrong }
  const env = { HOME: small.folder, XDG_CONFIG_HOME: small.folder }
  const { world, close } = await connect(await small.inventory(), { env, notify: () => {}, lab })
  const error = proxmoxErrorIn(await failureOf(small.up({ through: () => world })))
  await close()
  expect(error?.where).toMatch(/GET \/\S+ at /)
  expect(`${error?.message} ${error?.fix}`).toMatch(says)
  expect(small.events.at(-1)).toMatchObject({ type: 'run.finished', outcome: 'failed', changed: 0 })
  expect(mutatingCalls(small.lab)).toEqual([])
})

test('a worker that takes or frees a wanted VMID is waited for before VMIDs are given', async () => {
  const small = await aSmallStage()
  let isOver = false
  const busy = ({ proxmox, ...world }: World): World => {
    const { cluster, machines, tasks } = proxmox
    const upid = 'UPID:pve1:00001234:00000001:6917C5A0:qmdestroy:2000:root@pam!lab:'
    const going = { kind: 'qemu', vmid: 2000, host: 'pve1', lock: 'destroyed', status: 'stopped', tags: [] }
    const resources: typeof cluster.resources = async (signal) => {
      const seen = await cluster.resources(signal)
      return isOver ? seen : ({ ...seen, guests: [...seen.guests, going] } as typeof seen)
    }
    const findOptions: typeof machines.findOptions = async (vm, signal) =>
      isOver ? machines.findOptions(vm, signal) : { options: { lock: 'destroyed' }, pending: [], running: {} }
    const running: typeof tasks.running = async (host, signal) =>
      isOver ? tasks.running(host, signal) : [{ host, upid, type: 'qmdestroy', id: '2000', user: 'x', startedAt: 0 }]
    const wait: typeof tasks.wait = async (task, ...more) => {
      if (task.upid !== upid) return tasks.wait(task, ...more)
      isOver = true
      return { warnings: [] }
    }
    return {
      ...world,
      proxmox: {
        ...proxmox,
        cluster: { ...cluster, resources },
        machines: { ...machines, findOptions },
        tasks: { ...tasks, running, wait },
      },
    }
  }
  expect(await small.up({ through: busy, until: 'vms' })).toMatchObject({ outcome: 'done' })
  expect(whatIsThere(small.lab).vms).toEqual(['2000 pve1 dev-cp-1'])
})

test('a Proxmox that is too old ends the run before anything is changed', async () => {
  const small = await aSmallStage()
  const old = (world: World): World => {
    const version = async () => ({ version: '8.3.5', major: 8, minor: 3, canImportImages: false })
    return { ...world, proxmox: { ...world.proxmox, cluster: { ...world.proxmox.cluster, version } } }
  }
  expect(await failureOf(small.up({ through: old }))).toMatchObject({ exitCode: 3, where: 'talos.boot' })
  expect(mutatingCalls(small.lab)).toEqual([])
})

function status(code: number, message: string): FaultRule['action'] {
  return { kind: 'status', status: code, message }
}
