import type { ConnectRouter } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { at, portTo, resource, serve, signal, versionRoute } from '../../../tests/support/talos-client.js'
import { State } from '../../wire/cosi/resource/state_pb.js'
import { ApplyConfigurationRequest_Mode, MachineService } from '../../wire/machine/machine_pb.js'

const uuid = 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a'
const mac = '02:CA:F5:11:7F:D0'

function maintenanceRoutes(router: ConnectRouter, applied: string[]): void {
  router.service(State, {
    get: () => ({ resource: resource('systeminformation', `uuid: ${uuid}`) }),
    async *list() {
      yield { resource: resource('eth0', `hardwareAddr: ${mac.toLowerCase()}\nkind: ""\n`) }
      yield { resource: resource('lo', 'hardwareAddr: 00:00:00:00:00:00\nkind: ""\n') }
      yield { resource: resource('bond0', 'hardwareAddr: 02:00:00:00:00:01\nkind: bond\n') }
    },
  })
  router.service(MachineService, {
    applyConfiguration(request) {
      applied.push(Buffer.from(request.data).toString())
      return { messages: [{ mode: ApplyConfigurationRequest_Mode.NO_REBOOT }] }
    },
  })
}

test('a machine in maintenance identifies itself and gets its config on the same connection', async () => {
  const applied: string[] = []
  const server = await serve((router) => maintenanceRoutes(router, applied), { maintenance: true })
  const node = portTo(server).maintenance(at(server))
  expect(await node.findIdentity(signal)).toEqual({ uuid, serial: '', macs: [mac] })
  const before = server.connections()
  await node.applyConfiguration('version: v1alpha1', { uuid: uuid.toUpperCase(), mac }, signal)
  expect(applied).toEqual(['version: v1alpha1'])
  expect(server.connections()).toBe(before + 1)
})

test.each([
  { other: 'uuid', expected: { uuid: '00000000-0000-8000-8000-000000000000', mac } },
  { other: 'MAC', expected: { uuid, mac: '02:00:00:00:00:01' } },
  { other: 'serial number', expected: { uuid, mac, serial: 'known to nobody else' } },
])('a machine with another $other gets nothing', async ({ expected }) => {
  const applied: string[] = []
  const server = await serve((router) => maintenanceRoutes(router, applied), { maintenance: true })
  const node = portTo(server).maintenance(at(server))
  await expect(node.applyConfiguration('secret', expected, signal)).rejects.toThrow('is not dev-cp-1')
  expect(applied).toEqual([])
})

test('a node that asks for a certificate, and one that is not there, are not in maintenance', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).maintenance(at(server))
  expect(await node.findIdentity(signal)).toBeUndefined()
  await server.close()
  expect(await node.findIdentity(signal)).toBeUndefined()
})
