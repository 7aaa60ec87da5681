import type { Address } from '../cluster/address.js'
import type { Role } from '../cluster/machine.js'
import type { Topology } from './topology.js'

/** All input of the files, as plain values; nothing is looked up. */
export interface RenderInput {
  /** The folder's name under `terraform/` and `ansible/`: `dev`. */
  readonly environment: string
  readonly cluster: { readonly name: string; readonly endpoint: string }
  readonly nodes: readonly RenderNode[]
  readonly topology: Topology
  /** The text of a talosconfig. */
  readonly talosconfig: string
  /** The text of an administrator's kubeconfig. */
  readonly kubeconfig?: string
  /** The decrypted secrets bundle, only on request. */
  readonly secrets?: string
  /** Configs per role instead of per node, for the classic layout. */
  readonly classic?: { readonly controlPlane: string; readonly worker?: string }
}

export interface RenderNode {
  readonly name: string
  readonly role: Role
  readonly pool: string
  readonly host: string
  readonly vmid: number
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  /** Bytes. */
  readonly disk: number
  readonly mac: string
  /** Absent if only DHCP knows it. */
  readonly ip?: Address
  /** The machine config as YAML. */
  readonly config: string
  /** The same as a boot medium, only on request. */
  readonly seed?: Uint8Array
}

/** A file to write, relative to the folder that the user named. */
export interface RenderedFile {
  readonly path: string
  readonly content: string | Uint8Array
  readonly mode: number
}

/** For files with secrets. */
export const privateMode = 0o600
/** For files without secrets. */
export const publicMode = 0o644
