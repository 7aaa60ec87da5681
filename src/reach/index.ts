import type { Dialer } from './dialer.js'
import { createDirectDialer } from './direct.js'
import { createOpenSshDialer } from './open-ssh.js'
import type { Route } from './route.js'
import { createSocksDialer } from './socks.js'
import { createSshDialer } from './ssh.js'

/** The one dialer of a run: all connections use it, whatever the route. */
export function createDialer(route: Route): Dialer {
  const direct = createDirectDialer()
  const toJump = route.socks === undefined ? direct : createSocksDialer(route.socks, direct)
  if (route.ssh === undefined) return toJump
  return route.ssh.driver === 'openssh' ? createOpenSshDialer(route.ssh) : createSshDialer(route.ssh, toJump)
}
