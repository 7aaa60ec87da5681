/** The releases that the simulated factory builds, with the last patch of each minor version. */
const lastPatches: Readonly<Record<string, number>> = {
  '1.8': 4,
  '1.9': 6,
  '1.10': 9,
  '1.11': 6,
  '1.12': 11,
  '1.13': 9,
  '1.14': 1,
}

/** Available pre-releases, by minor version. */
const preReleases: Readonly<Record<string, readonly string[]>> = { '1.14': ['v1.14.0-rc.1'] }

/** Every version, oldest first, including pre-releases. */
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

/** Old names that the factory still accepts. */
const aliases: Readonly<Record<string, string>> = { 'siderolabs/xe-guest-utilities': 'siderolabs/xen-guest-agent' }

/** The response of `GET /version/:v/extensions/official`. */
export function officialExtensions(version: string) {
  return names.map((name) => ({
    name: `siderolabs/${name}`,
    ref: `ghcr.io/siderolabs/${name}:${version}`,
    digest: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
    author: 'Sidero Labs',
    description: `${name} of the lab`,
  }))
}

/** The first extension that this factory does not know. */
export function findUnknownExtension(asked: readonly string[]): string | undefined {
  const known = new Set(names.map((name) => `siderolabs/${name}`))
  return asked.find((name) => !known.has((aliases[name] ?? name) as `siderolabs/${(typeof names)[number]}`))
}

/** The response of `GET /version/:v/overlays/official`: boards, of which the lab has one. */
export function officialOverlays(version: string) {
  const image = 'siderolabs/sbc-raspberrypi'
  return [{ name: 'rpi_generic', image, ref: `ghcr.io/${image}:${version}`, digest: 'sha256:00' }]
}
