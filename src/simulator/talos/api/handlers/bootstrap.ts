import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import type { EtcdContent } from '../../../kubernetes/seam.js'
import { readSnapshotFile } from '../../etcd/snapshot-file.js'
import { foundEtcd } from '../../machine/etcd-life.js'
import type { TalosMachine } from '../../machine/machine.js'
import { isTimeSynced } from '../../machine/time-sync.js'
import { machineOf } from '../call-context.js'

/** Uploads for a bootstrap with `recover_etcd`; they are lost with the machine's memory, like the file on /var. */
const uploads = new WeakMap<TalosMachine, Buffer>()

/** Bootstraps etcd: once, on one control plane. */
export const bootstrapHandlers = {
  bootstrap: ({ recoverEtcd, recoverSkipHashCheck }, context) => {
    const machine = machineOf(context)
    refuseUnlessControlPlane(machine)
    refuseUnlessPossible(machine)
    if (recoverEtcd) foundEtcd(machine, contentOfUpload(machine, recoverSkipHashCheck))
    else foundEtcd(machine)
    return { messages: [{}] }
  },
  etcdRecover: async (pieces, context) => {
    const machine = machineOf(context)
    refuseUnlessControlPlane(machine)
    if (machine.services.find('etcd')?.state !== 'Preparing') {
      throw new ConnectError('etcd service is not ready for recovery yet', Code.FailedPrecondition)
    }
    const received: Uint8Array[] = []
    for await (const piece of pieces) received.push(piece.bytes)
    uploads.set(machine, Buffer.concat(received))
    return { messages: [{}] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

function refuseUnlessControlPlane({ facts, minor }: TalosMachine): void {
  if (facts?.role === 'controlplane') return
  const code = minor >= 13 ? Code.Unimplemented : Code.FailedPrecondition
  throw new ConnectError('bootstrap can only be performed on a control plane node', code)
}

function refuseUnlessPossible(machine: TalosMachine): void {
  const { services, facts, system, minor } = machine
  if (minor >= 14 && facts?.etcdCa.crt === '') throw new ConnectError('etcd CA is not configured', Code.InvalidArgument)
  if (!services.isHealthy('cri') || system?.ephemeral === undefined) {
    throw new ConnectError('bootstrap is not available yet', Code.FailedPrecondition)
  }
  if (!isTimeSynced(machine)) throw new ConnectError('time is not in sync yet', Code.FailedPrecondition)
  if (system.ephemeral.etcd !== undefined) {
    throw new ConnectError('etcd data directory is not empty', Code.AlreadyExists)
  }
}

function contentOfUpload(machine: TalosMachine, skipHashCheck: boolean): EtcdContent {
  const file = uploads.get(machine)
  const snapshot = file === undefined ? undefined : readSnapshotFile(file)
  if (snapshot === undefined)
    throw new ConnectError('error recovering from snapshot: invalid database', Code.FailedPrecondition)
  if (!skipHashCheck && snapshot.hashProblem !== undefined) {
    throw new ConnectError(`error recovering from snapshot: ${snapshot.hashProblem}`, Code.Unknown)
  }
  uploads.delete(machine)
  return snapshot.content
}
