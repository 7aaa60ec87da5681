import { defineFinding } from '../define-finding.js'
import { storagesOf } from '../storages-of.js'
import { becauseOffline } from './host-offline.js'

export const storageUnavailable = defineFinding({
  code: 'ICH0204',
  name: 'A storage is not available',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    const { datastore } = inventory.settings.proxmox
    const online = new Set(observed.proxmox.hosts.filter((host) => host.online).map(({ name }) => name))
    for (const { host, storage, machines } of storagesOf(observed)) {
      const seen = observed.proxmox.storages.find((one) => one.host === host && one.storage === storage)
      // Proxmox does not list a storage that is disabled; nor one that the token may not see.
      const isHidden = seen === undefined && (storage !== datastore || !online.has(host))
      if (isHidden || seen?.available === true) continue
      yield {
        subject: { kind: 'storage', name: storage },
        title: `Storage ${storage} is ${seen === undefined ? 'disabled or gone' : 'not available'} on host ${host}.`,
        detail: `It holds the disks of ${machines.join(', ')}.`,
        ...(online.has(host) ? {} : becauseOffline(host)),
        cure: { text: `Look at ${storage} under Storage of host ${host} in Proxmox.` },
      }
    }
  },
})
