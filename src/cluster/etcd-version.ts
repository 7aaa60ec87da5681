import { newestTalosMinor, parseVersion } from './version.js'

/** The etcd minor version of a Talos version, for its database format: `3.6`. */
export function etcdOfTalos(talosVersion: string): string {
  const minor = parseVersion(talosVersion)?.minor ?? newestTalosMinor
  if (minor < 11) return '3.5'
  return minor < 14 ? '3.6' : '3.7'
}
