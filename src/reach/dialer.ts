import type { Socket } from 'node:net'

export interface Target {
  /** Name or address, from the inventory or Proxmox. */
  readonly host: string
  readonly port: number
}

/**
 * The common way to open connections. The socket is connected, without delay, and a real one (TCP, or the unix socket
 * at the end of a tunnel): HTTP/2 over a JS stream is broken in Node. The caller adds TLS.
 */
export interface Dialer {
  dial(target: Target, signal: AbortSignal): Promise<Socket>
  /** Closes tunnels and all other resources. */
  close(): Promise<void>
}
