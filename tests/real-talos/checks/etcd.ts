import { checkEtcdFile, readEtcdContent } from '../../../src/backup/etcd-snapshot/read-etcd-snapshot.js'
import { memorySource } from '../../../src/backup/testing.js'
import { TalosError } from '../../../src/talos/api/talos-error.js'
import { type Check, collect, expect } from '../check.js'
import type { Guest } from '../guest.js'

/** From the bootstrap to a snapshot that etcd's own format check accepts. */
export const etcdChecks: readonly Check[] = [
  {
    title: 'the bootstrap is accepted as soon as the node says that it is possible',
    run: async ({ node, signal, until }) => {
      // No other failure is a reason to ask again: a second bootstrap stops the etcd that the first one starts.
      const isTooEarly = (error: unknown) => error instanceof TalosError && error.grpcCode === 'FailedPrecondition'
      const ask = () => node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal)
      const answer = await until('the bootstrap', 300, () =>
        ask().catch((error) => (isTooEarly(error) ? undefined : String(error))),
      )
      expect(answer === 'accepted', `it says ${answer}`)
    },
  },
  { title: 'etcd becomes healthy', run: etcdIsHealthy },
  {
    title: 'a second bootstrap is refused as done already',
    run: async ({ node, signal }) => {
      const answer = await node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal)
      expect(answer === 'already', `it says ${answer}`)
    },
  },
  {
    title: 'etcd has one member, which leads, and no alarm',
    run: async ({ node, subject, signal }) => {
      const members = await node.etcd.members({ local: false }, signal)
      const status = await node.etcd.status(signal)
      const [member] = members
      expect(
        members.length === 1 && member?.hostname === subject.machine.name && !member.isLearner,
        `its members are ${JSON.stringify(members)}`,
      )
      expect(status.member === member?.id && status.leader === status.member, `its status is ${JSON.stringify(status)}`)
      const alarms = await node.etcd.alarms(signal)
      expect(alarms.length === 0, `its alarms are ${JSON.stringify(alarms)}`)
    },
  },
  {
    title: 'a snapshot of etcd streams to its end, and our reader accepts it',
    run: async ({ node, signal }) => {
      const source = memorySource(await collect(node.etcd.snapshot(signal)))
      await checkEtcdFile(source, 'the snapshot')
      const { storageVersion } = await readEtcdContent(source, { where: 'the snapshot' })
      expect(storageVersion === '3.6.0', `its storage version is ${storageVersion}`)
    },
  },
]

export async function etcdIsHealthy({ node, signal, until }: Guest): Promise<void> {
  await until('a healthy etcd', 240, async () => {
    const services = await node.services(signal)
    return services.find(({ id }) => id === 'etcd')?.healthy === true ? true : undefined
  })
}
