import { expect, test } from 'vitest'
import { anInventory } from '../../../../tests/support/inventories.js'
import { notesOf } from '../../../../tests/support/plan-notes.js'
import { aWorld, planOf, specFor } from '../../../../tests/support/worlds.js'

const hosts = ['pve1']
const firewall = { enabled: true, admin_networks: '10.9.0.0/16' }

async function networkNotesWith(
  address: string,
  owner: string,
  inventory: Readonly<Record<string, unknown>> = { firewall },
) {
  const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts, with: inventory }))
  return notesOf(planOf(spec, { ...aWorld(hosts), taken: [{ address, owner }] })).filter((note) =>
    note.includes('etcd'),
  )
}

test('the plan names the VMs of others that the rules take for nodes', async () => {
  expect(await networkNotesWith('10.0.0.9', 'VM 104 (db-1) on pve1')).toEqual([
    'The firewall takes every address in network.cidr for a node: VM 104 (db-1) on pve1 can reach etcd, trustd and the network of the pods. Give the cluster a network of its own.',
  ])
})

test.each<[string, Parameters<typeof networkNotesWith>]>([
  ['its network is another one', ['10.1.0.9', 'VM 104 (db-1) on pve1']],
  ['there is no firewall', ['10.0.0.9', 'VM 104 (db-1) on pve1', {}]],
  ['it is no VM', ['10.0.0.9', 'something that answers on port 6443']],
])('not if %s', async (_, given) => {
  expect(await networkNotesWith(...given)).toEqual([])
})
