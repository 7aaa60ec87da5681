import type { Socket } from 'node:net'

export interface Target {
  /** Name or address, as the inventory or Proxmox reports it. */
  readonly host: string
  readonly port: number
}

/**
 * The one way out. The socket is connected, has no delay set, and is a real one (TCP, or the unix socket that
 * ends a tunnel): HTTP/2 over a JS stream is broken in Node. TLS is the caller's.
 */
export interface Dialer {
  dial(target: Target, signal: AbortSignal): Promise<Socket>
  /** Closes tunnels and whatever else it holds. */
  close(): Promise<void>
}
