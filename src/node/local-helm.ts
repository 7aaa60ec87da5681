import { createLocalHelm, type LocalHelm } from '../addons/local-helm.js'
import { openTunnels } from '../reach/tunnel.js'
import { adminKubeconfig } from '../talos/clientconfig/kubeconfig.js'
import type { WorkContext } from '../work/work-context.js'
import { findAddress } from './node-address.js'

const lifetimeHours = 2

/** Runs helm on this computer through a local port that forwards to a control plane, on ichor's own route. */
export async function withLocalHelm<T>(context: WorkContext, work: (helm: LocalHelm) => Promise<T>): Promise<T> {
  const host = await getAnsweringControlPlane(context)
  const secrets = await context.secrets.find()
  if (secrets === undefined) throw new Error('the cluster has no secrets yet')
  const request = { name: 'Kubernetes for helm', target: { host, port: 6443 } }
  const open = await openTunnels(context.dialer, [request], (name, thrown) => context.note(`${name}: ${thrown}`))
  try {
    const { text } = await adminKubeconfig(secrets.bundle, {
      endpoint: `https://127.0.0.1:${open.tunnels[0]?.port}`,
      serverName: host,
      clusterName: context.desired.cluster.name,
      lifetimeHours,
      now: new Date(),
    })
    return await work(createLocalHelm(text))
  } finally {
    await open.close()
  }
}

async function getAnsweringControlPlane(context: WorkContext): Promise<string> {
  for (const { machine } of context.desired.machines.filter((wanted) => wanted.machine.role === 'controlplane')) {
    const host = await findAddress(machine.name, context)
    const api = host === undefined ? undefined : context.kubernetes.at([{ host, port: 6443 }])
    if (host !== undefined && (await api?.version(context.signal).catch(() => undefined)) !== undefined) return host
  }
  throw new Error('no control plane answers')
}
