import { afterEach, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from './proxmox/testing/small-lab.js'
import { findSeed } from './talos/media/cidata.js'

let lab: SmallLab
afterEach(() => lab.close())

test('a node without a seed of its own reads name and network from the drive that Proxmox writes', async () => {
  lab = await startSmallLab()
  await lab.task('POST', '/nodes/pve1/qemu', {
    vmid: 100,
    name: 'worker-1',
    ide2: 'local-lvm:cloudinit',
    net0: 'virtio=BC:24:11:AA:BB:CC,bridge=vmbr0',
    ipconfig0: 'ip=10.0.10.50/24,gw=10.0.10.1',
    nameserver: '10.0.10.1',
  })
  await lab.task('POST', '/nodes/pve1/qemu/100/status/start')
  const seed = findSeed(lab.guests.running.get(100)?.cds ?? [])
  expect(seed).toMatchObject({
    hostname: 'worker-1',
    network: { links: [{ addresses: ['10.0.10.50/24'], gateways: ['10.0.10.1'] }], nameservers: ['10.0.10.1'] },
  })
  expect(seed).not.toHaveProperty('config')
})
