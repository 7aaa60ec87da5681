import { afterEach, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let lab: SmallLab
afterEach(() => lab.close())

const qemu = '/nodes/pve1/qemu'
const options = {
  vmid: 100,
  name: 'web.example.org',
  ide2: 'local-lvm:cloudinit',
  net0: 'virtio=BC:24:11:AA:BB:CC,bridge=vmbr0',
  ipconfig0: 'ip=10.0.10.50/22,gw=10.0.10.1,ip6=auto',
  nameserver: '10.0.10.1 1.1.1.1',
  searchdomain: 'lab.internal',
  ciuser: 'ubuntu',
}

const dump = async (type: string) => (await lab.api('GET', `${qemu}/100/cloudinit/dump`, { type })).data

test('a cloud-init drive has its own name, is there once, and is filled when the VM starts', async () => {
  lab = await startSmallLab()
  expect(await lab.task('POST', qemu, options)).toBe('OK')
  expect((await lab.api('GET', `${qemu}/100/config`)).data).toMatchObject({
    ide2: 'local-lvm:vm-100-cloudinit,media=cdrom',
  })
  expect(await lab.task('POST', `${qemu}/100/config`, { ide3: 'local-lvm:cloudinit' })).toBe(
    "ide3 - cloud-init drive is already attached at 'ide2'",
  )
  expect(await lab.task('POST', qemu, { vmid: 101, ide0: 'local-lvm:cloudinit', ide2: 'local-lvm:cloudinit' })).toBe(
    "unable to create VM 101 - ide2 - cloud-init drive is already attached at 'ide0'",
  )
  expect(await lab.task('POST', `${qemu}/100/status/start`)).toBe('OK')
  const cd = lab.guests.running.get(100)?.cds[0]
  const bytes = Buffer.from(cd?.bytes() ?? []).toString('latin1')
  expect(bytes).toContain("address: '10.0.10.50'")
  expect(bytes).toContain('cidata')
})

test('what is dumped is what the drive holds', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, options)
  expect(await dump('network')).toBe(`version: 1
config:
    - type: physical
      name: eth0
      mac_address: 'bc:24:11:aa:bb:cc'
      subnets:
      - type: static
        address: '10.0.10.50'
        netmask: '255.255.252.0'
        gateway: '10.0.10.1'
      - type: ipv6_slaac
    - type: nameserver
      address:
      - '10.0.10.1'
      - '1.1.1.1'
      search:
      - 'lab.internal'
`)
  expect(await dump('user')).toBe(`#cloud-config
hostname: web
manage_etc_hosts: true
fqdn: web.example.org
user: ubuntu
chpasswd:
  expire: False
users:
  - default
package_upgrade: true
`)
  expect(await dump('meta')).toMatch(/^instance-id: [0-9a-f]{40}\n$/)
})

test('a clone has a drive of its own', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, options)
  expect(await lab.task('POST', `${qemu}/100/clone`, { newid: 200, full: 1 })).toBe('OK')
  expect((await lab.api('GET', `${qemu}/200/config`)).data).toMatchObject({
    ide2: 'local-lvm:vm-200-cloudinit,media=cdrom',
  })
})
