/** What of Proxmox depends on the pool of a VM, or on the VM. */
export interface PoolFacts {
  readonly acl: readonly { readonly path: string; readonly subject: string; readonly role: string }[]
  readonly jobs: readonly BackupJob[]
  readonly ha: {
    readonly resources: readonly { readonly vmid: number }[]
    readonly rules: readonly { readonly id: string; readonly vmids: readonly number[] }[]
  }
}

interface BackupJob {
  readonly id: string
  readonly what: { readonly vmids: readonly number[] } | { readonly pool: string }
}

/** A machine of the cluster, and where its VM is. */
export interface PooledMachine {
  readonly name: string
  readonly vm: { readonly vmid: number; readonly pool?: string }
}

/** For each VM that would move into `pool`: the rights and backup jobs that change with it, and the HA that stays. */
export function poolMoves(machines: readonly PooledMachine[], pool: string, { acl, jobs, ha }: PoolFacts): string[] {
  const rightsIn = (name: string) =>
    acl.filter(({ path }) => path === `/pool/${name}`).map(({ subject, role }) => `${subject} as ${role}`)
  const jobsOf = (name: string) => jobs.flatMap(({ id, what }) => ('pool' in what && what.pool === name ? [id] : []))
  return machines
    .filter(({ vm }) => vm.pool !== pool)
    .flatMap(({ name, vm }) => {
      const from = vm.pool
      const rules = ha.rules.filter(({ vmids }) => vmids.includes(vm.vmid)).map(({ id }) => id)
      const isInHa = ha.resources.some(({ vmid }) => vmid === vm.vmid)
      return [
        `VM ${vm.vmid} (${name})${from === undefined ? '' : `, out of ${from}`}`,
        ...list('  loses the rights of', from === undefined ? [] : rightsIn(from)),
        ...list('  gets the rights of', rightsIn(pool)),
        ...list('  leaves the backup jobs', from === undefined ? [] : jobsOf(from)),
        ...list('  joins the backup jobs', jobsOf(pool)),
        ...(isInHa
          ? [`  HA keeps it${rules.length === 0 ? '' : `, by the rules ${rules.join(', ')}`}: that does not change`]
          : []),
      ]
    })
}

function list(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.join(', ')}`]
}
