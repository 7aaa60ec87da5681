import { writeFileSync } from 'node:fs'
import { type Schematic, schematicFor, schematicId, schematicYaml } from '../../../src/talos/image/schematic.js'

/** Writes schematics with our ids of them. Argument: the file. */
const none = { extensions: [], kernelArgs: [] }

const schematics: Readonly<Record<string, Schematic>> = {
  'nothing asked': schematicFor(none),
  'one extension': schematicFor({ ...none, extensions: ['qemu-guest-agent'] }),
  'extensions of several owners': schematicFor({
    ...none,
    extensions: ['siderolabs/util-linux-tools', 'iscsi-tools', 'example/thing', 'qemu-guest-agent'],
  }),
  'kernel arguments': schematicFor({ ...none, kernelArgs: ['console=ttyS0', 'net.ifnames=0', '-selinux'] }),
  'kernel arguments that need quotes': schematicFor({
    ...none,
    kernelArgs: [
      'a: b',
      '#x',
      'yes',
      '1',
      "it's",
      'say "x"',
      '',
      `talos.config=http://10.0.0.1/?a=\${mac}&b=1`,
      '@x',
      '{a}',
    ],
  }),
  'a long kernel argument': schematicFor({
    ...none,
    kernelArgs: [`talos.environment=${'no_proxy=10.0.0.0/8 '.repeat(12)}`],
  }),
  meta: schematicFor({
    ...none,
    meta: [
      { key: 10, value: 'addresses:\n  - 10.0.0.1/24\n' },
      { key: 12, value: 'plain' },
    ],
  }),
  'secure boot': schematicFor({ ...none, secureBoot: { includeWellKnownCertificates: true } }),
  'secure boot with keys': schematicFor({ ...none, secureBoot: { enrollKeys: 'force' } }),
  'keys off, which YAML 1.1 reads as a boolean': schematicFor({ ...none, secureBoot: { enrollKeys: 'off' } }),
  'a bootloader': schematicFor({ ...none, bootloader: 'sd-boot' }),
  'an overlay': schematicFor({ ...none, overlay: { image: 'siderolabs/sbc-raspberrypi', name: 'rpi_generic' } }),
  'an overlay with options': schematicFor({
    ...none,
    overlay: {
      image: 'siderolabs/sbc-rockchip',
      name: 'rock5b',
      options: { b: 2, a: 'x: y', c: [true, null, 1.5], d: { z: '', y: '0x1F' } },
    },
  }),
  everything: schematicFor({
    extensions: ['zfs', 'qemu-guest-agent'],
    kernelArgs: ['mitigations=off'],
    overlay: { image: 'siderolabs/sbc-raspberrypi', name: 'rpi_generic' },
    meta: [{ key: 12, value: 'x' }],
    secureBoot: { includeWellKnownCertificates: true, enrollKeys: 'if-safe' },
    bootloader: 'dual-boot',
  }),
}

const cases = Object.entries(schematics).map(([name, schematic]) => ({
  name,
  schematic,
  yaml: schematicYaml(schematic),
  id: schematicId(schematic),
}))
writeFileSync(process.argv[2] ?? 'schematics.json', JSON.stringify(cases))
