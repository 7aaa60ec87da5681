import { newestTalosMinor, parseVersion } from './version.js'

/** The etcd that a version of Talos brings along, as far as its database goes: `3.6`. */
export function etcdOfTalos(talosVersion: string): string {
  const minor = parseVersion(talosVersion)?.minor ?? newestTalosMinor
  if (minor < 11) return '3.5'
  return minor < 14 ? '3.6' : '3.7'
}
