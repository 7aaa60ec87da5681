import type { Lab } from '../../simulator/index.js'
import { defineEnd, defineFault } from './define-fault.js'
import { getHost, getName } from './hosts.js'

/** `pve1/local-lvm` as the host and the storage of a lab. */
function getPlace(lab: Lab, place: string): [host: string, storage: string] {
  const [host = '', storage] = place.split('/')
  if (storage === undefined) throw new Error(`"${place}" names no storage of a host; write HOST/STORAGE.`)
  const names = lab.topology.storages.map(({ id }) => id)
  return [getHost(lab, host), getName('storage', names, storage)]
}

export const fillStorage = defineFault({
  name: 'fill-storage',
  subject: 'storage',
  effect: 'it has no free space',
  needs: ['storage'],
  run: (lab, { storage }) => lab.proxmox.fillStorage(...getPlace(lab, storage), 0),
  end: defineEnd({
    name: 'free-storage',
    needs: ['storage'],
    run: (lab, { storage }) => lab.proxmox.freeStorage(...getPlace(lab, storage)),
  }),
})

export const slowStorage = defineFault({
  name: 'slow-storage',
  subject: 'storage',
  effect: 'copies take `--factor` times longer, 20 by default',
  needs: ['storage'],
  takes: ['factor'],
  end: '`--factor 1`',
  run: (lab, { storage, factor = 20 }) => lab.proxmox.trouble.slowStorage(...getPlace(lab, storage), factor),
})

export const readOnlyStorage = defineFault({
  name: 'read-only-storage',
  subject: 'storage',
  effect: 'nothing can be written on it',
  needs: ['storage'],
  run: (lab, { storage }) => lab.proxmox.trouble.readOnlyStorage(...getPlace(lab, storage)),
  end: defineEnd({
    name: 'writable-storage',
    needs: ['storage'],
    run: (lab, { storage }) => lab.proxmox.trouble.readOnlyStorage(...getPlace(lab, storage), false),
  }),
})
