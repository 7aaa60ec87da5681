/** The releases that the simulated factory builds, with the last patch of each minor. */
const lastPatches: Readonly<Record<string, number>> = {
  '1.8': 4,
  '1.9': 6,
  '1.10': 9,
  '1.11': 6,
  '1.12': 11,
  '1.13': 9,
  '1.14': 1,
}

/** Pre-releases that can still be had, by the minor that they led to. */
const preReleases: Readonly<Record<string, readonly string[]>> = { '1.14': ['v1.14.0-rc.1'] }

/** Every version, oldest first, pre-releases included. */
export const versions: readonly string[] = Object.entries(lastPatches).flatMap(([minor, last]) => [
  ...(preReleases[minor] ?? []),
  ...Array.from({ length: last + 1 }, (_, patch) => `v${minor}.${patch}`),
])

const names = [
  ...['amd-ucode', 'amdgpu', 'binfmt-misc', 'bnx2-bnx2x', 'btrfs', 'chelsio-firmware', 'cloudflared', 'crun', 'drbd'],
  ...['ecr-credential-provider', 'fuse3', 'gasket-driver', 'glibc', 'gvisor', 'hailort', 'i915', 'intel-ice-firmware'],
  ...['intel-ucode', 'iscsi-tools', 'kata-containers', 'lldpd', 'mdadm', 'mei', 'metal-agent', 'mellanox-mstflint'],
  ...[
    'newt',
    'nfsd',
    'nonfree-kmod-nvidia-lts',
    'nonfree-kmod-nvidia-production',
    'nut-client',
    'nvidia-container-toolkit-lts',
  ],
  ...['nvidia-container-toolkit-production', 'nvme-cli', 'panfrost', 'qemu-guest-agent', 'qlogic-firmware'],
  ...['realtek-firmware', 'spin', 'stargz-snapshotter', 'tailscale', 'thunderbolt', 'uinput', 'usb-modem-drivers'],
  ...[
    'util-linux-tools',
    'v4l-uvc-drivers',
    'vmtoolsd-guest-agent',
    'wasmedge',
    'xen-guest-agent',
    'youki',
    'zerotier',
    'zfs',
  ],
] as const

/** Names that the factory still understands. */
const aliases: Readonly<Record<string, string>> = { 'siderolabs/xe-guest-utilities': 'siderolabs/xen-guest-agent' }

/** What `GET /version/:v/extensions/official` lists. */
export function officialExtensions(version: string) {
  return names.map((name) => ({
    name: `siderolabs/${name}`,
    ref: `ghcr.io/siderolabs/${name}:${version}`,
    digest: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
    author: 'Sidero Labs',
    description: `${name} of the lab`,
  }))
}

/** The first name that this factory cannot build in. */
export function findUnknownExtension(asked: readonly string[]): string | undefined {
  const known = new Set(names.map((name) => `siderolabs/${name}`))
  return asked.find((name) => !known.has((aliases[name] ?? name) as `siderolabs/${(typeof names)[number]}`))
}

/** What `GET /version/:v/overlays/official` lists: boards, of which the lab has none but one. */
export function officialOverlays(version: string) {
  const image = 'siderolabs/sbc-raspberrypi'
  return [{ name: 'rpi_generic', image, ref: `ghcr.io/${image}:${version}`, digest: 'sha256:00' }]
}
