/** A SOCKS5 proxy, from `proxmox.socks` in the inventory. */
export interface SocksProxy {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
}

/** An SSH host that forwards connections, from `proxmox.ssh` in the inventory. */
export interface SshJump {
  readonly user: string
  readonly host: string
  /** 22 by default. */
  readonly port?: number
  /** Path of a private key. Without one the agent is used, then the usual files in `~/.ssh`. */
  readonly key?: string
  readonly passphrase?: string
  /** Socket of an SSH agent; `SSH_AUTH_SOCK` by default. */
  readonly agent?: string
  /** Files with known host keys; the user's and the system's by default. */
  readonly knownHosts?: readonly string[]
  /** The one key that the host must have (`ssh-ed25519 AAAA…`), instead of any file. */
  readonly hostKey?: string
  /** `openssh` runs the `ssh` program of this computer, for ssh_config, FIDO keys and certificates. */
  readonly driver?: 'built-in' | 'openssh'
}

/** The route to the cluster's network. With both, the jump host is reached through the proxy. */
export interface Route {
  readonly socks?: SocksProxy
  readonly ssh?: SshJump
}
