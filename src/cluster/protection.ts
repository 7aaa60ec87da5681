import type { Role } from './machine.js'

/** All machines, or some: by name, by worker pool (`workers` for those in none), or as `control_plane`. */
export type Protected = boolean | readonly string[]

interface Member {
  readonly name: string
  readonly role: Role
  /** `undefined` if it is not known. */
  readonly pool: string | undefined
}

export function isProtectedBy(protect: Protected, { name, role, pool }: Member): boolean {
  if (typeof protect === 'boolean') return protect
  if (protect.includes(name)) return true
  if (role === 'controlplane') return protect.includes('control_plane')
  return pool !== undefined && protect.includes(pool)
}

/** The pool of a counted worker by its name, `workers` for those in none; `undefined` for a named worker. */
export function poolByName(cluster: string, machine: string): string | undefined {
  const [, group] = machine.startsWith(`${cluster}-`) ? (/^-(.+)-\d+$/.exec(machine.slice(cluster.length)) ?? []) : []
  return group === 'wk' ? 'workers' : group
}
