import type { Address } from '../cluster/address.js'
import type { Role } from '../cluster/machine.js'
import type { Topology } from './topology.js'

/** All that goes into files, in plain values; nothing is asked for or looked up. */
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
  /** The text of a secrets bundle in the clear, only when the user asked for it. */
  readonly secrets?: string
  /** Configs of a role instead of a node, for those who keep the classic layout. */
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
  /** Absent when only DHCP knows it. */
  readonly ip?: Address
  /** The machine config as YAML. */
  readonly config: string
  /** The same as a medium that the machine reads it from, only when the user asked for it. */
  readonly seed?: Uint8Array
}

/** A file to write, relative to the folder that the user named. */
export interface RenderedFile {
  readonly path: string
  readonly content: string | Uint8Array
  readonly mode: number
}

/** For what holds secrets. */
export const privateMode = 0o600
/** For what does not. */
export const publicMode = 0o644
