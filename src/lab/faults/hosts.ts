import type { Lab } from '../../simulator/index.js'
import { defineEnd, defineFault } from './define-fault.js'

export function getHost({ topology }: Lab, host: string): string {
  const names = topology.hosts.map(({ name }) => name)
  return getName('host', names, host)
}

export function getName(what: string, names: readonly string[], name: string): string {
  if (names.includes(name)) return name
  throw new Error(`The lab has no ${what} "${name}"; it has ${names.join(', ')}.`)
}

export const hostOffline = defineFault({
  name: 'host-offline',
  subject: 'host',
  effect: 'it loses its power, and all VMs on it',
  needs: ['host'],
  run: (lab, { host }) => lab.proxmox.setHostOnline(getHost(lab, host), false),
  end: defineEnd({
    name: 'host-online',
    needs: ['host'],
    run: (lab, { host }) => lab.proxmox.setHostOnline(getHost(lab, host), true),
  }),
})

export const powerCut = defineFault({
  name: 'power-cut',
  subject: 'host',
  effect: 'every host and VM loses its power at once',
  run: ({ proxmox }) => proxmox.cutPower(),
  end: defineEnd({ name: 'power-back', run: ({ proxmox }) => proxmox.cutPower(false) }),
})

export const loseQuorum = defineFault({
  name: 'lose-quorum',
  subject: 'host',
  effect: 'the Proxmox cluster has no quorum, regardless of the votes',
  run: ({ proxmox }) => proxmox.setQuorate(false),
  end: defineEnd({ name: 'regain-quorum', run: ({ proxmox }) => proxmox.setQuorate(true) }),
})

export const hangApi = defineFault({
  name: 'hang-api',
  subject: 'host',
  effect: 'its API accepts requests but does not respond; requests proxied to it fail with 596 after 30 s',
  needs: ['host'],
  run: (lab, { host }) => lab.proxmox.trouble.hangApi(getHost(lab, host)),
  end: defineEnd({
    name: 'wake-api',
    needs: ['host'],
    run: (lab, { host }) => lab.proxmox.trouble.hangApi(getHost(lab, host), false),
  }),
})

export const lagFiles = defineFault({
  name: 'lag-files',
  subject: 'host',
  effect: 'its copy of the cluster files is `--ms` behind: lists, pools, free VMIDs, rights',
  needs: ['host'],
  takes: ['ms'],
  end: '`--ms 0`',
  run: (lab, { host, ms = 20_000 }) => lab.proxmox.trouble.lagClusterFiles(getHost(lab, host), ms),
})

export const lagStatistics = defineFault({
  name: 'lag-statistics',
  subject: 'host',
  effect: '`/cluster/resources` reports `stopped` for `--ms` after a start, and `running` after a stop',
  takes: ['ms'],
  end: '`--ms 5000`, as usual',
  run: ({ proxmox }, { ms = 60_000 }) => proxmox.trouble.lagStatistics(ms),
})
