import { type Check, expect } from '../check.js'
import type { Guest } from '../guest.js'
import { volume } from '../subject.js'
import { etcdIsHealthy } from './etcd.js'

/** What a node survives: it boots again from what it keeps, and after a reset it is empty. */
export const powerChecks: readonly Check[] = [
  {
    title: 'a reboot is a new boot with the same data, and etcd is healthy again',
    run: async (guest) => {
      const { node, signal } = guest
      const before = await node.bootId(signal)
      const [member] = await node.etcd.members({ local: true }, signal)
      await node.reboot('default', signal)
      await anotherBoot(guest, before)
      await etcdIsHealthy(guest)
      const [after] = await node.etcd.members({ local: true }, signal)
      expect(after?.id === member?.id, `etcd was ${member?.id} and is ${after?.id}`)
    },
  },
  {
    title: 'a reset wipes the config and etcd, leaves the data disk, and switches the machine off',
    run: async ({ node, signal, isOff, hasFilesystem }) => {
      expect(hasFilesystem('scsi0', 'EPHEMERAL'), 'there was nothing to wipe')
      await node.reset({ graceful: false, reboot: false, systemPartitions: ['STATE', 'EPHEMERAL'] }, signal)
      expect(await isOff(), 'it still runs')
      const left = ['STATE', 'EPHEMERAL'].filter((label) => hasFilesystem('scsi0', label))
      expect(left.length === 0, `${left.join()} can still be read`)
      expect(hasFilesystem('scsi1', `u-${volume}`), 'the data disk was wiped, too')
    },
  },
]

async function anotherBoot({ node, signal, until }: Guest, before: string): Promise<void> {
  await until('another boot', 600, async () => {
    const now = await node.bootId(signal)
    return now === before ? undefined : now
  })
}
