import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { fake } from '../../../tests/support/fake.js'
import type { Session } from '../../operations/session.js'
import type { GuestResource } from '../../proxmox/client/port.js'
import type { TalosNode } from '../../talos/api/port.js'
import type { Context } from '../frame/context.js'
import { planPoolMoves } from './move-adopted.js'

const machine = (vmid: number) => ({
  name: `wk-${vmid}`,
  address: '10.0.10.71',
  adopted: { keep: [] },
  identity: { name: `wk-${vmid}`, uuid: uuidOf(vmid), mac: macOf(vmid) },
})
const uuidOf = (vmid: number) => `5b1e9d3a-0000-4000-8000-000000000${vmid}`
const macOf = (vmid: number) => `BC:24:11:00:00:${vmid % 100}`
const vmids = [710, 711]

const aGuest = (vmid: number): GuestResource => ({
  ...{ kind: 'qemu', template: false, status: 'running', host: 'pve1', vmid },
  ...{ cpus: 2, memory: 0, disk: 0, tags: [] },
})

function aSession(changed: string[]): Session {
  const proxmox = {
    cluster: {
      version: async () => ({ version: '9.2.3', major: 9, minor: 2, canImportImages: true }),
      resources: async () => ({
        hosts: [],
        storages: [],
        guests: vmids.map((vmid) => aGuest(vmid)),
      }),
    },
    machines: {
      findOptions: async ({ vmid }: { vmid: number }) => ({
        options: { smbios1: `uuid=${uuidOf(vmid)}`, net0: `virtio=${macOf(vmid)},bridge=vmbr0` },
        pending: [],
        running: {},
      }),
    },
    access: { acl: async () => [] },
    backup: { jobs: async () => [] },
    highAvailability: { read: async () => ({ resources: [], groups: [], rules: [] }) },
    pools: { addVm: async (pool: string, vmid: number) => void changed.push(`${vmid} into ${pool}`) },
  }
  const node: Session['world']['talos']['node'] = ({ machine }) =>
    fake<TalosNode>({ resources: { systemUuid: async () => uuidOf(Number(machine.slice('wk-'.length))) } })
  const inventory = { machines: vmids.map(machine), settings: { proxmox: { pool: 'ichor-home' } } }
  const world = { proxmox: fake<Session['world']['proxmox']>(proxmox), talos: { node } }
  return fake<Session>({ world, inventory })
}

/** A terminal on which each question gets the next answer. */
function aTerminal(answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const left = [...answers]
  const asked: string[] = []
  const write = (text: string) => {
    if (text.includes('[y/N]')) {
      asked.push(text.trim())
      const next = left.shift()
      setImmediate(() => stdin.write(`${next}\n`))
    }
    return true
  }
  const stderr = Object.assign(new PassThrough(), { isTTY: false, write })
  return { asked, context: fake<Context>({ stdin, stderr, signal: AbortSignal.timeout(5000) }) }
}

test('each VM has a question of its own, and one without a yes stays where it is', async () => {
  const changed: string[] = []
  const { asked, context } = aTerminal(['n', 'y'])
  const moves = await planPoolMoves(aSession(changed), { yes: false, named: [] }, context)
  await moves.ask()
  expect(asked).toEqual(['Move VM 710 (wk-710) into ichor-home? [y/N]', 'Move VM 711 (wk-711) into ichor-home? [y/N]'])
  expect(changed).toEqual([])
  const done: string[] = []
  for await (const note of moves.carryOut()) done.push(note)
  expect(done).toEqual(['moved VM 711 (wk-711) into ichor-home'])
  expect(changed).toEqual(['711 into ichor-home'])
})
