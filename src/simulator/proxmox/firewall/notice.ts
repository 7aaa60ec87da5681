import type { Routes } from '../http/call.js'

/** The same routes; after each change, hosts find the new rules at their next poll. */
export function withNotice(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([route, handle]) => [
      route,
      route.startsWith('GET ')
        ? handle
        : (call) => {
            const answer = handle(call)
            call.datacenter.vmFirewall.changed()
            return answer
          },
    ]),
  )
}
