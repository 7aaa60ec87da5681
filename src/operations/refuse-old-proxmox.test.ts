import { expect, test } from 'vitest'
import { readVersion } from '../proxmox/client/cluster.js'
import { refuseOldProxmox } from './refuse-old-proxmox.js'

test.each([
  ['9.2.3', 'image', undefined],
  ['8.4.0', 'template', undefined],
  ['8.4.0~beta1', 'image', undefined],
  ['8.3.5', 'iso', undefined],
  ['8.3.5', 'image', /cannot import disk images/],
  ['8.3.5', 'template', /cannot import disk images/],
  ['7.4.1', 'iso', /is too old/],
] as const)('Proxmox %s and boot from %s: %s', (version, boot, refusal) => {
  const check = () => refuseOldProxmox(readVersion({ version }), boot)
  if (refusal === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(refusal)
})
