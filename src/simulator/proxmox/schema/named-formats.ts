import type { Rule } from './endpoints.js'

const optional = 1
const onOff = { type: 'boolean', optional } as const
const base64 = { optional, pattern: '[A-Za-z0-9+\\/]+={0,2}' } as const
const uuid = '[a-fA-F0-9]{8}(?:-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}'
const hexId = { optional, pattern: '0x[0-9a-fA-F]{4}' } as const

const kept = { type: 'integer', optional } as const

/** Property strings that the schema only names. */
export const namedFormats: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  'prune-backups': {
    'keep-all': onOff,
    'keep-last': kept,
    'keep-hourly': kept,
    'keep-daily': kept,
    'keep-weekly': kept,
    'keep-monthly': kept,
    'keep-yearly': kept,
  },
  'backup-fleecing': { enabled: { ...onOff, default_key: 1 }, storage: { optional } },
  'backup-performance': {
    'max-workers': { type: 'integer', optional, minimum: 1, maximum: 256 },
    'pbs-entries-max': { type: 'integer', optional, minimum: 1 },
  },
  'pve-qm-boot': {
    legacy: { default_key: 1, optional, pattern: '[acdn]{1,4}' },
    order: { optional },
  },
  'pve-qm-smbios1': {
    uuid: { optional, pattern: uuid },
    version: base64,
    serial: base64,
    manufacturer: base64,
    product: base64,
    sku: base64,
    family: base64,
    base64: onOff,
  },
  'pve-qm-ipconfig': {
    ip: { optional, format: 'pve-ipv4-config' },
    gw: { optional, format: 'ipv4', requires: 'ip' },
    ip6: { optional, format: 'pve-ipv6-config' },
    gw6: { optional, format: 'ipv6', requires: 'ip6' },
  },
  'pve-qm-watchdog': {
    model: { default_key: 1, optional, enum: ['i6300esb', 'ib700'] },
    action: { optional, enum: ['reset', 'shutdown', 'poweroff', 'pause', 'debug', 'none'] },
  },
  'pve-qm-rng': {
    source: { default_key: 1, enum: ['/dev/urandom', '/dev/random', '/dev/hwrng'] },
    max_bytes: { type: 'integer', optional },
    period: { type: 'integer', optional },
  },
  'pve-qm-cicustom': {
    user: { optional, format: 'pve-volume-id' },
    meta: { optional, format: 'pve-volume-id' },
    network: { optional, format: 'pve-volume-id' },
    vendor: { optional, format: 'pve-volume-id' },
  },
  'pve-qm-hostpci': {
    host: { default_key: 1, optional },
    mapping: { optional, format: 'pve-configid' },
    pcie: onOff,
    'x-vga': onOff,
    rombar: onOff,
    romfile: { optional },
    mdev: { optional },
    'legacy-igd': onOff,
    driver: { optional, enum: ['vfio', 'keep'] },
    'vendor-id': hexId,
    'device-id': hexId,
    'sub-vendor-id': hexId,
    'sub-device-id': hexId,
  },
}

const cpuModels = new Set(
  (
    '486 athlon Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS Cascadelake-Server Cascadelake-Server-noTSX Cascadelake-Server-v2 Cascadelake-Server-v4 Cascadelake-Server-v5 ' +
    'Conroe Cooperlake Cooperlake-v2 core2duo coreduo EPYC EPYC-Genoa EPYC-IBPB EPYC-Milan EPYC-Milan-v2 EPYC-Rome EPYC-Rome-v2 EPYC-Rome-v3 EPYC-Rome-v4 EPYC-Turin EPYC-v3 EPYC-v4 GraniteRapids ' +
    'Haswell Haswell-IBRS Haswell-noTSX Haswell-noTSX-IBRS host Icelake-Client Icelake-Client-noTSX Icelake-Server Icelake-Server-noTSX IvyBridge IvyBridge-IBRS KnightsMill kvm32 kvm64 max Nehalem ' +
    'Nehalem-IBRS Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4 Opteron_G5 Penryn pentium pentium2 pentium3 phenom qemu32 qemu64 SandyBridge SandyBridge-IBRS SapphireRapids Skylake-Client ' +
    'Skylake-Client-IBRS Skylake-Client-noTSX-IBRS Skylake-Server Skylake-Server-IBRS Skylake-Server-noTSX-IBRS Westmere Westmere-IBRS x86-64-v2 x86-64-v2-AES x86-64-v3 x86-64-v4'
  ).split(' '),
)
const vmFlags = [
  'pcid',
  'spec-ctrl',
  'ibpb',
  'ssbd',
  'virt-ssbd',
  'amd-ssbd',
  'amd-no-ssb',
  'pdpe1gb',
  'md-clear',
  'hv-tlbflush',
  'hv-evmcs',
  'aes',
]

/** What is wrong with the CPU option of a VM. */
export function cpuProblem(text: string): string | undefined {
  const parts = text.split(',')
  const type = (parts.find((part) => !part.includes('=') || part.startsWith('cputype=')) ?? '').replace(/^cputype=/, '')
  const custom = /^custom-(.+)$/.exec(type)?.[1]
  if (custom !== undefined) return `Custom cputype '${custom}' not found`
  if (type !== '' && !cpuModels.has(type))
    return `Built-in cputype '${type}' is not defined (missing 'custom-' prefix?)`
  const flags = (parts.find((part) => part.startsWith('flags=')) ?? 'flags=').slice('flags='.length)
  const odd = flags.split(';').find((flag) => flag !== '' && !vmFlags.includes(flag.replace(/^[+-]/, '')))
  return odd === undefined ? undefined : `VM-specific CPU flags must be a subset of: ${vmFlags.join(', ')}`
}
