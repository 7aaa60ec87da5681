import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Inventory } from '../inventory/inventory.js'
import type { Status } from '../operations/status/status.js'
import type { SecretsFile } from '../secrets/bundle.js'
import { expiringTokens } from './access/token-expiry.js'

/**
 * Expiry dates: the CAs of the cluster, the client certificates in the files next to the inventory, and Proxmox tokens.
 */
export function certificatesOf(
  file: SecretsFile | undefined,
  { folder }: Inventory,
  isLab: boolean,
): Status['certificates'] {
  const suffix = isLab ? '.lab' : ''
  if (file === undefined) return []
  const { os, k8s, etcd, k8saggregator } = file.bundle.certs
  const authorities = { 'Talos CA': os, 'Kubernetes CA': k8s, 'etcd CA': etcd, 'aggregator CA': k8saggregator }
  return [
    ...Object.entries(authorities).map(([name, { crt }]) => ({ name, expires: expiryOf(crt) })),
    ...clientFile(join(folder, `talosconfig${suffix}`), 'talosconfig', /crt: (\S+)/),
    ...clientFile(join(folder, `kubeconfig${suffix}`), 'kubeconfig', /client-certificate-data: (\S+)/),
    ...expiringTokens(file.memory.values),
  ]
}

function clientFile(path: string, name: string, pattern: RegExp): { name: string; expires: string }[] {
  try {
    const found = pattern.exec(readFileSync(path, 'utf8'))?.[1]
    return found === undefined ? [] : [{ name, expires: expiryOf(found) }]
  } catch {
    return []
  }
}

function expiryOf(base64Pem: string): string {
  return new Date(new X509Certificate(Buffer.from(base64Pem, 'base64')).validTo).toISOString()
}
