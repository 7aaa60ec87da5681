import { ifSeen } from '../../src/cluster/seen.js'
import type { Checks } from '../real-clients/kubectl/check.js'
import { aStage, aTopology, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { expect } from './check.js'
import { type RealGuests, realGuests } from './real-guests.js'
import { realInventory, volume } from './subject.js'
import type { NodeImage } from './virtual-machine.js'

/** `ichor up` against a simulated Proxmox whose machine boots a real Talos from the seed that the run uploads. */
export async function upStory(image: NodeImage, registry: number, { attempt }: Checks): Promise<void> {
  const name = 'real-cp-1'
  const guests = realGuests({ image, registry, addresses: { [name]: '10.5.0.10' } })
  const stage = await aStage({
    files: { 'cluster.yaml': JSON.stringify(realInventory()) },
    topology: aTopology({ hosts: 1 }),
    speed: 1,
    guestKind: guests.guestKind,
  })
  try {
    await attempt('up makes the VM, boots the node and bootstraps its etcd', async () => {
      await upToEtcd(stage).catch((error: Error) => {
        throw new Error(`${error.message}\n${lastSteps(stage)}`)
      })
    })
    await attempt('the seed is gone from Proxmox', () => {
      const left = whatIsThere(stage.lab).volumes.filter((it) => it.includes('cidata') || it.includes(':iso/'))
      expect(left.length === 0, `there is ${left.join()}`)
    })
    await attempt('what is observed of the node is what the inventory wants', async () => checkObserved(stage, name))
    await attempt('destroy deletes the VM and switches the node off', () => checkDestroy(stage, guests))
  } finally {
    await stage.close()
  }
}

/** Its registry has no Kubernetes: the user stops the run once etcd has its member. */
async function upToEtcd(stage: Stage): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(20 * 60_000)])
  let isBootstrapped = false
  const end = await stage
    .up({
      until: 'bootstrap',
      signal,
      onEvent: (event) => {
        if (event.type !== 'step.finished' || !event.step.startsWith('bootstrap-etcd')) return
        isBootstrapped = true
        stop.abort()
      },
    })
    .catch((error: unknown) => error)
  expect(isBootstrapped, `the run ended with ${end instanceof Error ? end.message : JSON.stringify(end)}`)
}

async function checkObserved(stage: Stage, name: string): Promise<void> {
  const { world, close } = await stage.connect()
  try {
    const node = world.talos.node({ machine: name, address: '10.5.0.10' })
    const signal = AbortSignal.timeout(60_000)
    const { tag } = await node.version(signal)
    expect(tag === 'v1.13.9', `it runs Talos ${tag}`)
    const { observed } = await stage.plan()
    const members = ifSeen(observed.etcd)?.members.map(({ hostname }) => hostname)
    expect(members?.join() === name, `the members of etcd are ${members?.join()}`)
    const data = await node.resources.find('VolumeStatuses.block.talos.dev', 'runtime', `u-${volume}`, signal)
    expect(JSON.stringify(data?.spec).includes('"ready"'), `the volume is ${JSON.stringify(data?.spec)}`)
  } finally {
    await close()
  }
}

async function checkDestroy(stage: Stage, guests: RealGuests): Promise<void> {
  const { outcome } = await stage.destroy({ signal: AbortSignal.timeout(5 * 60_000) })
  expect(outcome === 'done', `the run ended with ${outcome}`)
  const { vms } = whatIsThere(stage.lab)
  expect(vms.length === 0 && guests.running() === 0, `there is ${vms.join()}, and ${guests.running()} run`)
  expect(guests.starts() === 1, `the VM was switched on ${guests.starts()} times`)
}

/** What the run reported last. */
function lastSteps({ events }: Stage): string {
  return events
    .filter(({ type }) => type.startsWith('step.'))
    .slice(-12)
    .map((event) => JSON.stringify(event))
    .join('\n')
}
