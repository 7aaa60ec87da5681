import { parse } from 'yaml'
import type { TestCluster } from './a-cluster.js'
import { type BootInput, credentialsOf, macOf, type NodeClients, type TestLab, until } from './a-lab.js'

let nextVmid = 3000

/** A VM that joins the cluster with its cidata volume, and admin clients once its API responds. */
export async function aNode(
  lab: TestLab,
  cluster: TestCluster,
  input: {
    readonly name: string
    readonly address: string
    readonly role?: 'controlplane' | 'worker'
    readonly vip?: string
    readonly vm?: Partial<BootInput>
    readonly vmid?: number
  },
) {
  const { name, address, role = 'controlplane', vip, vmid = nextVmid++ } = input
  const mac = macOf(vmid)
  const config = cluster.config({ name, role, mac, cidr: `${address}/24`, ...(vip === undefined ? {} : { vip }) })
  const vm = lab.boot({ name, vmid, seed: { 'user-data': config }, ...input.vm })
  await until(`${name} answers on ${address}`, () => isOpen(lab, address))
  return { ...vm, config, address, uuid: vm.hardware.uuid, ...adminOf(lab, cluster, address) }
}

export function adminOf(lab: TestLab, cluster: TestCluster, address: string): NodeClients {
  return lab.clients(address, credentialsOf(cluster.os, cluster.client(['os:admin'])))
}

export function isOpen(lab: TestLab, address: string): boolean {
  return lab.network.resolve(address, 50000) !== undefined
}

/** The spec of one resource; `undefined` if it is missing or the node does not respond. */
export async function specOf({ state }: NodeClients, namespace: string, type: string, id: string) {
  try {
    const { resource } = await state.get({ namespace, type, id })
    return parse(resource?.spec?.yamlSpec ?? '')
  } catch {
    return undefined
  }
}

export async function stageOf(clients: NodeClients): Promise<string | undefined> {
  return (await specOf(clients, 'runtime', 'MachineStatuses.runtime.talos.dev', 'machine'))?.stage
}

/** Bootstraps like a client: retries while the node is not ready. */
export async function bootstrap({ machine }: NodeClients, options: { recoverEtcd?: boolean } = {}): Promise<void> {
  await until('the node takes the bootstrap', async () => {
    try {
      await machine.bootstrap(options)
      return true
    } catch (error) {
      if (String(error).includes('not available yet')) return false
      throw error
    }
  })
}

export async function collect(stream: AsyncIterable<{ bytes: Uint8Array }>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const { bytes } of stream) pieces.push(bytes)
  return Buffer.concat(pieces)
}
