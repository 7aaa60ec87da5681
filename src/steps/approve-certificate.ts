import { approveKubeletCsrs, type ExpectedNode } from '../kubernetes/approve-kubelet-csrs.js'
import type { KubernetesApi, NodeInfo } from '../kubernetes/port.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { findNode } from '../node/kubernetes-node.js'
import { findAddress } from '../node/node-address.js'
import type { TalosNode } from '../talos/api/port.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const signer = 'kubernetes.io/kubelet-serving'
const pauseMs = 2000
const maxQuestions = 60

/**
 * The serving certificate that a kubelet requests: without it, its logs and metrics cannot be read. Approved only for
 * the name and addresses of the machine. Later the approver in the cluster does this.
 */
export const approveCertificate = defineStep({
  kind: 'approve-certificate',
  args: machineArgs,
  title: ({ machine }) => `approve the kubelet certificate of ${machine}`,
  changes: true,
  disruptive: false,
  sentence: () => 'the serving certificate of its kubelet is approved',
  async done({ machine }, context) {
    const node = await findNode(machine, context).catch(() => undefined)
    return node !== undefined && isCertified(await kubernetesApi(context), node, context.signal)
  },
  async run({ machine }, context) {
    const node = await findNode(machine, context)
    if (node === undefined) throw new Error(`node of ${machine} has not joined yet`)
    const api = await kubernetesApi(context)
    const expected = [{ name: node.name, addresses: await addressesOf(machine, context) }]
    for (let asked = 1; asked <= maxQuestions; asked++) {
      context.assertLease()
      await approve(api, expected, context)
      if (await isCertified(api, node, context.signal)) return
      await context.clock.sleep(pauseMs, context.signal)
    }
    context.note('no certificate request to approve; the approver in the cluster takes care of it')
  },
  effect: () => undefined,
})

async function approve(api: KubernetesApi, expected: readonly ExpectedNode[], { signal, note }: StepContext) {
  const { approved, left } = await approveKubeletCsrs(api, expected, signal)
  for (const name of approved) note(`approved ${name}`)
  const unexpected = left.find(({ reason }) => reason.startsWith('it names'))
  if (unexpected !== undefined) note(`${unexpected.name} is not approved: ${unexpected.reason}`)
}

/** All addresses assigned to the machine, or the ones that Talos reports if DHCP assigned them. */
async function addressesOf(machine: string, context: StepContext): Promise<string[]> {
  const wanted = machineOf(context.desired, machine)
  const { nics, identity } = wanted.machine
  const given = nics.flatMap(({ addresses }) => addresses.map((address) => address.split('/')[0] ?? ''))
  if (wanted.address !== undefined) return [...new Set([...given, wanted.address])]
  const address = await findAddress(machine, context)
  if (address === undefined) return given
  const node = context.talos.node({ machine, address })
  return [...new Set([...given, ...(await reportedByTalos(node, identity.uuid, context.signal))])]
}

/**
 * The guest agent only suggests where to connect. The node there has presented the cluster's certificate and must have
 * the machine's UUID; returns nothing if it is another machine.
 * @internal
 */
export async function reportedByTalos(
  { resources }: Pick<TalosNode, 'resources'>,
  uuid: string,
  signal: AbortSignal,
): Promise<string[]> {
  const isMachine = (await resources.systemUuid(signal)) === uuid.toLowerCase()
  return isMachine ? resources.nodeAddresses(signal) : []
}

interface Request {
  readonly spec?: { readonly signerName?: string; readonly username?: string }
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] }
}

/** It has requested a certificate, and none of its requests is pending. */
async function isCertified(api: KubernetesApi, { name }: NodeInfo, signal: AbortSignal): Promise<boolean> {
  const kind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' }
  const all = (await api.list(kind, undefined, {}, signal)) as readonly Request[]
  const own = all.filter(({ spec }) => spec?.signerName === signer && spec.username === `system:node:${name}`)
  return own.length > 0 && own.every(({ status }) => (status?.conditions ?? []).length > 0)
}
