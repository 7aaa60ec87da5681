import { createServer } from 'node:net'
import { registryAddress, registryPort } from './subject.js'

/** The user-mode network of a VM: its Talos API has a port on loopback, and it reaches the registry of the test and nothing else. */
export function forwardedNetwork({
  address,
  port,
  busybox,
  registry,
}: {
  readonly address: string
  readonly port: number
  readonly busybox: string
  /** Its port on loopback. */
  readonly registry: number
}): string {
  return [
    // By DHCP it has the address that the config gives it.
    `net=10.5.0.0/24,host=10.5.0.2,dns=10.5.0.3,dhcpstart=${address},restrict=on,ipv6=off`,
    `hostfwd=tcp:127.0.0.1:${port}-${address}:50000`,
    `guestfwd=tcp:${registryAddress}:${registryPort}-cmd:${busybox} nc 127.0.0.1 ${registry}`,
  ].join()
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port is free on loopback.')
  return address.port
}
