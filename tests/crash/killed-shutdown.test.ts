import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { disturbShutdown, forEveryCall, liveUndisturbed, shutDownUndisturbed } from '../support/disturbed-runs.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { oneIn } from '../support/sample.js'

const GiB = 1024 ** 3
const recipient = await identityToRecipient(await generateX25519Identity())
const extra = `secrets: plain
backup: { etcd: { recipients: [${recipient}] } }
placement:
  ha: true
guests:
  - { name: nas, host: pve1, vmid: 150, cpu: 1, ram: 1G, disk: 4G, create: true }
`
const { storages, ...hosts } = aTopology({ hosts: 3 })
const shared = { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB } as const
const yaml = clusterYaml({ extra }).replace('datastore: local-lvm', 'datastore: ceph')
const undisturbed = await liveUndisturbed({
  topology: { ...hosts, storages: [...storages, shared] },
  files: { 'cluster.yaml': yaml },
})

test('a shutdown, killed at its calls: the next one finishes it', async () => {
  const { calls } = await shutDownUndisturbed(undisturbed)
  const story = (nth: number) => disturbShutdown(nth, 'shutdown', undisturbed)
  expect(await forEveryCall(calls, story, { oneIn: oneIn(8), sideBySide: 1 })).toEqual([])
})

test('a shutdown, killed at its calls: an up in its place brings everything back', async () => {
  const { calls } = await shutDownUndisturbed(undisturbed)
  const story = (nth: number) => disturbShutdown(nth, 'up', undisturbed)
  expect(await forEveryCall(calls, story, { oneIn: oneIn(16), sideBySide: 1 })).toEqual([])
})

test('the way back up, killed at its calls: the next up finishes it', async () => {
  const off = await shutDownUndisturbed(undisturbed)
  const story = (nth: number) => disturbShutdown(nth, 'way back', { ...undisturbed, standing: off.standing })
  expect(await forEveryCall(off.callsBack, story, { oneIn: oneIn(8), sideBySide: 1 })).toEqual([])
})
