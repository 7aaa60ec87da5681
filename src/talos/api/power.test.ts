import { expect, test } from 'vitest'
import { nodeWith, signal } from '../../../tests/support/talos-client.js'
import {
  MachineService,
  RebootRequest_Mode as RebootMode,
  ResetRequest_WipeMode as WipeMode,
} from '../../wire/machine/machine_pb.js'
import type { TalosNode } from './port.js'

/** A node that records the calls it receives. */
async function obedientNode(): Promise<{ node: TalosNode; reported: unknown[] }> {
  const reported: unknown[] = []
  const hear = (request: object) => {
    const { $typeName: _, ...fields } = request as { $typeName: string }
    reported.push(fields)
    return { messages: [{}] }
  }
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      reboot: hear,
      shutdown: hear,
      reset: hear,
      rollback: hear,
      serviceRestart: hear,
    }),
  )
  return { node, reported }
}

test.each([
  { mode: 'default', sent: RebootMode.DEFAULT },
  { mode: 'powercycle', sent: RebootMode.POWERCYCLE },
  { mode: 'force', sent: RebootMode.FORCE },
] as const)('a reboot in mode $mode asks for that', async ({ mode, sent }) => {
  const { node, reported } = await obedientNode()
  await node.reboot(mode, signal)
  expect(reported).toEqual([{ mode: sent }])
})

test('a rollback needs no words', async () => {
  const { node, reported } = await obedientNode()
  await node.rollback(signal)
  expect(reported).toEqual([{}])
})

test('a service is restarted by its name', async () => {
  const { node, reported } = await obedientNode()
  await node.restartService('kubelet', signal)
  expect(reported).toEqual([{ id: 'kubelet' }])
})

test('a reset wipes just the named volumes, and user disks only where they are named', async () => {
  const { node, reported } = await obedientNode()
  const systemPartitions = ['STATE', 'EPHEMERAL']
  await node.reset({ graceful: true, reboot: false, systemPartitions }, signal)
  await node.reset({ graceful: false, reboot: true, systemPartitions: ['EPHEMERAL'], userDisks: ['/dev/sdb'] }, signal)
  expect(reported).toMatchObject([
    {
      graceful: true,
      reboot: false,
      systemPartitionsToWipe: [
        { label: 'STATE', wipe: true },
        { label: 'EPHEMERAL', wipe: true },
      ],
      userDisksToWipe: [],
      mode: WipeMode.SYSTEM_DISK,
    },
    {
      graceful: false,
      reboot: true,
      systemPartitionsToWipe: [{ label: 'EPHEMERAL', wipe: true }],
      userDisksToWipe: ['/dev/sdb'],
      mode: WipeMode.ALL,
    },
  ])
})
