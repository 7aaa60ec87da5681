import { expect, test } from 'vitest'
import { type Schematic, schematicFor, schematicId, schematicYaml } from './schematic.js'

const extensions = (...officialExtensions: string[]) => ({
  customization: { systemExtensions: { officialExtensions } },
})
const kernelArgs = (...extraKernelArgs: string[]) => ({ customization: { extraKernelArgs } })

const ids: readonly { what: string; schematic: Schematic; id: string }[] = [
  {
    what: 'nothing at all',
    schematic: { customization: {} },
    id: '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba',
  },
  {
    what: 'the guest agent',
    schematic: extensions('siderolabs/qemu-guest-agent'),
    id: 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515',
  },
  {
    what: 'two kernel arguments',
    schematic: kernelArgs('noapic', 'nolapic'),
    id: '9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c',
  },
  {
    what: 'a META value',
    schematic: { customization: { meta: [{ key: 10, value: 'foo' }] } },
    id: 'd308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f',
  },
  {
    what: 'an overlay',
    schematic: { overlay: { image: 'siderolabs/sbc-raspberrypi', name: 'rpi_generic' }, customization: {} },
    id: 'ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9',
  },
  {
    what: 'kernel arguments with dashes and dots',
    schematic: kernelArgs('-console', 'console=ttyS0', 'net.ifnames=0'),
    id: '5db62e945e271a793d811ef4a454a1b7c14d9e6c7967a293c2216ccfb9a16f7b',
  },
  {
    what: 'kernel arguments that need every kind of quotes',
    schematic: kernelArgs(
      ...['ip=10.0.0.1::10.0.0.254:255.255.255.0::eth0:off', 'a: b', 'x #y', 'yes', '1', '0x1F', '12:30', '*x'],
      ...['tab\tx', ''],
    ),
    id: 'cf4ce98b39751d48282965b4e6d156b057f1c4e577e988f128bff9b8cdf870f8',
  },
  {
    what: 'META values of several lines',
    schematic: {
      customization: {
        meta: [
          { key: 10, value: 'line one\nline two\n' },
          { key: 12, value: '{"a": 1}' },
        ],
      },
    },
    id: 'c2fdb01b558ece841311492320ad32e3a8dc942ee4bdd751bbeca891df6505b6',
  },
  {
    what: 'a bootloader and secure boot',
    schematic: {
      customization: {
        bootloader: 'sd-boot',
        secureboot: { enrollKeys: 'force', includeWellKnownCertificates: true },
      },
    },
    id: '83c27b74239efb96de12feda992dcb01ab8fa24e9132715db7f0cc79e2e1442e',
  },
  {
    what: 'an overlay with options of every kind',
    schematic: {
      overlay: {
        image: 'siderolabs/sbc-raspberrypi',
        name: 'rpi_generic',
        options: { serial: 'on', configTxt: 'a=1\nb=2', list: [1, 'two', { q: true }], empty: {} },
      },
      customization: {},
    },
    id: '79528e5d1ac885c5dc73a2f17f6e4c4569f7e96304a35be9aae755842090b4a6',
  },
]

test.each(ids)("the id of $what is the factory's", ({ schematic, id }) => {
  expect(schematicId(schematic)).toBe(id)
})

test('the canonical text has the order and the indentation of the factory', () => {
  const schematic = { ...extensions('siderolabs/a'), overlay: { name: 'x', image: 'i' } }
  expect(schematicYaml(schematic)).toBe(
    'overlay:\n    image: i\n    name: x\ncustomization:\n    systemExtensions:\n        officialExtensions:\n            - siderolabs/a\n',
  )
})

test('extensions are named in full, sorted and mentioned once, so that order in the inventory does not matter', () => {
  const one = schematicFor({ extensions: ['qemu-guest-agent', 'siderolabs/iscsi-tools'], kernelArgs: [] })
  const other = schematicFor({
    extensions: ['siderolabs/iscsi-tools', 'siderolabs/qemu-guest-agent', 'iscsi-tools'],
    kernelArgs: [],
  })
  expect(schematicId(one)).toBe(schematicId(other))
  expect(one).toEqual(extensions('siderolabs/iscsi-tools', 'siderolabs/qemu-guest-agent'))
})

test('no specs make the empty schematic', () => {
  expect(schematicFor({ extensions: [], kernelArgs: [] })).toEqual({ customization: {} })
})
