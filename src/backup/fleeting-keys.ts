/** Short-lived keys, which no restore needs. */
const fleeting = ['/registry/events/', '/registry/events.k8s.io/', '/registry/leases/', '/registry/masterleases/']

export function isFleeting(key: string): boolean {
  return fleeting.some((prefix) => key.startsWith(prefix))
}
