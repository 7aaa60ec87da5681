import { gunzipSync } from 'node:zlib'
import { Code, ConnectError } from '@connectrpc/connect'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { aCluster } from './testing/a-cluster.js'
import { aLab, credentialsOf, macOf, type TestLab, until } from './testing/a-lab.js'

let lab: TestLab
afterEach(() => lab.close())

test('a VM with a disk image and a cidata volume becomes the first node of a cluster', async () => {
  lab = await aLab()
  const cluster = aCluster()
  const seed = { 'user-data': cluster.config({ name: 'dev-cp-1', mac: macOf(2000), cidr: '10.5.0.2/24' }) }
  lab.boot({ name: 'dev-cp-1', vmid: 2000, seed })
  await until('the API answers', () => lab.network.resolve('10.5.0.2', 50000) !== undefined)
  const { machine, state } = lab.clients('10.5.0.2', credentialsOf(cluster.os, cluster.client(['os:admin'])))

  const { messages } = await machine.version({})
  expect(messages[0]).toMatchObject({ version: { tag: 'v1.13.9' }, platform: { name: 'nocloud', mode: 'cloud' } })
  await until('the machine can be bootstrapped', async () => {
    const { messages } = await machine.serviceList({})
    return messages[0]?.services.some(({ id, health }) => id === 'cri' && health?.healthy === true) ?? false
  })
  await machine.bootstrap({})
  await expect(machine.bootstrap({})).rejects.toMatchObject({ code: Code.AlreadyExists })

  await until('the machine is running and ready', async () => {
    const { resource } = await state.get({
      namespace: 'runtime',
      type: 'MachineStatuses.runtime.talos.dev',
      id: 'machine',
    })
    const spec = parse(resource?.spec?.yamlSpec ?? '')
    return spec.stage === 'running' && spec.status.ready
  })
  const members = await machine.etcdMemberList({})
  expect(members.messages[0]?.members).toMatchObject([
    { hostname: 'dev-cp-1', isLearner: false, peerUrls: ['https://10.5.0.2:2380'] },
  ])
  const config = await state.get({ namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' })
  expect(parse(config.resource?.spec?.yamlSpec ?? '')).toBe(seed['user-data'])

  const pieces: Uint8Array[] = []
  for await (const { bytes } of machine.kubeconfig({})) pieces.push(bytes)
  const archive = gunzipSync(Buffer.concat(pieces))
  const size = Number.parseInt(archive.toString('latin1', 124, 135), 8)
  expect(archive.length).toBe(512 + size)
  expect(parse(archive.toString('utf8', 512))).toMatchObject({ 'current-context': 'admin@dev' })
  expect(lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')).toHaveLength(1)
})

test('foreign clients are refused: no certificate, another CA, an expired certificate, a role that is too small', async () => {
  lab = await aLab()
  const cluster = aCluster()
  lab.boot({ name: 'a', vmid: 2000, seed: { 'user-data': cluster.config({ mac: macOf(2000), cidr: '10.5.0.2/24' }) } })
  await until('the API answers', () => lab.network.resolve('10.5.0.2', 50000) !== undefined)
  const clients = [
    undefined,
    credentialsOf(cluster.os, aCluster().client(['os:admin'])),
    credentialsOf(cluster.os, cluster.client(['os:admin'], -60_000)),
  ]
  for (const credentials of clients) {
    const failure = await lab.clients('10.5.0.2', credentials).machine.version({}).catch(ConnectError.from)
    expect(failure).toBeInstanceOf(ConnectError)
  }
  const reader = lab.clients('10.5.0.2', credentialsOf(cluster.os, cluster.client(['os:reader'])))
  await expect(reader.machine.version({})).resolves.toBeDefined()
  await expect(reader.machine.bootstrap({})).rejects.toMatchObject({ code: Code.PermissionDenied })
  const secret = { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' }
  await expect(reader.state.get(secret)).rejects.toMatchObject({ code: Code.PermissionDenied })
})
