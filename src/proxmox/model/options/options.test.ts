import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePropertyString } from '../property-string.js'
import { parseBoot, writeBoot } from './boot.js'
import { parseDisk, writeDisk } from './disk.js'
import { parseAgent, parseCpu, parseHostPci, parseStartup, writeAgent, writeHostPci } from './hardware.js'
import { parseNet, writeNet } from './net.js'
import { parseSmbios, writeSmbios } from './smbios.js'
import { parseTags, writeTags } from './tags.js'

const kinds = {
  disk: (text: string) => writeDisk(parseDisk(text)),
  net: (text: string) => writeNet(parseNet(text)),
  agent: (text: string) => writeAgent(parseAgent(text)),
  hostpci: (text: string) => writeHostPci(parseHostPci(text)),
} as const

test.each([
  ['disk', 'local-lvm:vm-100-disk-0,discard=on,iothread=1,size=40G,ssd=1'],
  ['disk', 'local:iso/seed.iso,media=cdrom,size=364K'],
  ['disk', 'none,media=cdrom'],
  ['disk', 'local-lvm:0,import-from=local:import/talos.qcow2'],
  ['disk', 'vmdata:101/vm-101-disk-4.raw,efitype=4m,size=528K,pre-enrolled-keys=0,ms-cert=2023'],
  ['disk', 'local-lvm:vm-1-disk-0,mbps_rd=10,iops_max=200,wwn=0x5000c50015ea71aa,size=weird'],
  ['net', 'virtio=BC:24:11:5A:0C:91,bridge=vmbr0,firewall=1,tag=10,trunks=10;20-30'],
  ['net', 'virtio,bridge=vmbr0,host-tunnel=1'],
  ['net', 'e1000=BC:24:11:5A:0C:91'],
  ['agent', '1,fstrim_cloned_disks=1,freeze-fs=0'],
  ['hostpci', 'mapping=gpu,pcie=1,x-vga=1,driver=keep'],
  ['hostpci', '0000:01:00.0;0000:01:00.1,rombar=0'],
] as const)('a %s keeps everything that it says: %s', (kind, source) => {
  const written = kinds[kind](source)
  expect(parsePropertyString(written).equals(parsePropertyString(source))).toBe(true)
})

test('whatever Proxmox adds tomorrow is kept', () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/)
  const value = fc.stringMatching(/^[A-Za-z0-9:;./+-]{1,12}$/)
  fc.assert(
    fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (options) => {
      const source = ['store:vm-1-disk-0', ...Object.entries(options).map(([name, text]) => `${name}=${text}`)].join(
        ',',
      )
      const again = parsePropertyString(writeDisk(parseDisk(source)))
      for (const [name, text] of Object.entries(options)) {
        if (!/^(file|discard|iothread|ssd|backup|replicate|size|queues|pre-enrolled-keys)$/.test(name))
          expect(again.get(name)).toBe(text)
      }
    }),
  )
})

test('a disk is read into typed values', () => {
  expect(parseDisk('local-lvm:vm-100-disk-0,size=40G,ssd=on,foo=bar')).toEqual({
    volume: 'local-lvm:vm-100-disk-0',
    size: 40 * 1024 ** 3,
    ssd: true,
    rest: { foo: 'bar' },
  })
  expect(writeDisk({ volume: 'local-lvm:0', importFrom: 'local:import/t.qcow2', discard: true })).toBe(
    'local-lvm:0,import-from=local:import/t.qcow2,discard=on',
  )
})

test('a CPU and a startup order are read in either spelling', () => {
  expect(parseCpu('x86-64-v2-AES,flags=+aes;-pcid,phys-bits=host')).toEqual({
    type: 'x86-64-v2-AES',
    flags: ['+aes', '-pcid'],
    rest: { 'phys-bits': 'host' },
  })
  expect(parseCpu('cputype=host')).toEqual(parseCpu('host'))
  expect(parseStartup('order=3,up=30,down=60')).toEqual({ order: 3, up: 30, down: 60 })
})

test('a MAC is the same in either spelling', () => {
  expect(parseNet('virtio=bc:24:11:5a:0c:91,bridge=vmbr0')).toEqual(
    parseNet('model=virtio,macaddr=BC:24:11:5A:0C:91,bridge=vmbr0'),
  )
})

test('SMBIOS texts are decoded, and everything is written again with the uuid', () => {
  const serial = Buffer.from('ds=nocloud;h=cp-1').toString('base64')
  const smbios = parseSmbios(`uuid=11111111-2222-3333-4444-555555555555,serial=${serial},base64=1`)
  expect(smbios).toEqual({ uuid: '11111111-2222-3333-4444-555555555555', serial: 'ds=nocloud;h=cp-1' })
  expect(parseSmbios(writeSmbios({ ...smbios, family: 'ä' }))).toEqual({ ...smbios, family: 'ä' })
  expect(writeSmbios({ uuid: 'x' })).toBe('uuid=x')
  expect(parseSmbios('uuid=x,serial=plain')).toEqual({ uuid: 'x', serial: 'plain' })
})

test('boot order and tags, as they are written and as they come back', () => {
  expect(parseBoot(writeBoot(['scsi0', 'ide2']))).toEqual(['scsi0', 'ide2'])
  expect(parseBoot('cdn')).toEqual([])
  expect(parseBoot(' ')).toEqual([])
  expect(writeTags(['Talos', 'cp', 'talos'])).toBe('cp;talos')
  expect(parseTags(' ')).toEqual([])
  expect(parseTags('a,b;c d')).toEqual(['a', 'b', 'c', 'd'])
})
