import { z } from 'zod'
import { contract, httpsUrl, httpUrl, scalarText, textOf, version } from './values.js'

/** A Talos config patch: the path of a file beside the inventory, a patch as text, or as YAML in place. */
export const patch = z.union([
  z.string().min(1),
  z.record(z.string(), z.unknown()),
  z.array(z.record(z.string(), z.unknown())),
])

const patches = z.array(patch)

const diskEncryption = z
  .strictObject({
    state: z.boolean().default(true).describe('Encrypt the partition that holds the config.'),
    ephemeral: z.boolean().default(true).describe('Encrypt the partition that holds etcd, images and pods.'),
    key: z.enum(['node-id', 'tpm']).default('node-id').describe('`tpm` needs `vm.tpm` and `talos.secure_boot`.'),
  })
  .describe('Encryption of the system disk.')

const registry = z.strictObject({
  host: z.string().min(1).describe('Registry, such as `docker.io`, or `*`.'),
  mirrors: z.array(httpUrl).default([]).describe('Mirrors, asked in turn.'),
  skip_fallback: z.boolean().default(false).describe('Never ask the registry itself.'),
  insecure: z.boolean().default(false).describe('Do not check certificates.'),
  ca: z.string().min(1).exactOptional().describe('Path of a CA certificate (PEM).'),
})

/** A system extension; a bare name is one of Sidero Labs. */
export const extension = z
  .string()
  .min(1)
  .transform((name) => (name.includes('/') ? name : `siderolabs/${name}`))

/** What the machines boot, and what their configs say. */
export const talos = z
  .strictObject({
    boot: z
      .enum(['image', 'iso', 'template'])
      .default('image')
      .describe('`image`: import the disk image. `iso`: boot the ISO, install, detach. `template`: clone a template.'),
    delivery: z
      .enum(['cidata', 'apply'])
      .exactOptional()
      .describe(
        '`cidata`: each machine reads its config from an ISO. `apply`: it is sent over the maintenance API. Default: `cidata`, but `apply` where only the guest agent can tell the endpoint.',
      ),
    contract: contract
      .exactOptional()
      .describe(
        'Style of the configs, fixed when the cluster is made. Default: the minor of `talos_version` on that day.',
      ),
    upgrade_path: z
      .array(version)
      .exactOptional()
      .describe('Versions to go through on the way to `talos_version`. Default: the latest patch of each minor.'),
    extensions: z
      .array(extension)
      .default([])
      .describe('System extensions, such as `siderolabs/iscsi-tools` or just `iscsi-tools`.'),
    kernel_args: z
      .array(z.string().min(1))
      .default([])
      .describe('Kernel arguments; a leading `-` takes a default one away.'),
    schematic: textOf('a schematic id', '64 hex digits', (text) => /^[0-9a-f]{64}$/.test(text))
      .exactOptional()
      .describe('Id of a ready Image Factory schematic, in place of `extensions` and `kernel_args`.'),
    meta: z
      .array(
        z.strictObject({
          key: z.int().min(0).max(255).describe('Number of the META key.'),
          value: z.string().describe('Its value.'),
        }),
      )
      .default([])
      .describe('META values of the schematic.'),
    overlay: z
      .strictObject({
        image: z.string().min(1).describe('Image of the overlay.'),
        name: z.string().min(1).describe('Name of the overlay.'),
        options: z.record(z.string(), z.unknown()).exactOptional().describe('Its options.'),
      })
      .exactOptional()
      .describe('Overlay of the schematic.'),
    factory_url: httpUrl.default('https://factory.talos.dev').describe('Image Factory.'),
    image_file: z
      .string()
      .min(1)
      .exactOptional()
      .describe('A disk image or ISO on this computer that is uploaded, for sites without a factory.'),
    image_checksum: textOf('a checksum', 'sha256:… (64 hex digits)', (text) =>
      /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text),
    )
      .exactOptional()
      .describe('Checksum of the image. The public factory gives none; then the size is compared.'),
    iso: z
      .string()
      .min(1)
      .exactOptional()
      .describe('An ISO that is already on a storage, such as `local:iso/talos.iso`.'),
    platform: z
      .enum(['nocloud', 'metal'])
      .default('nocloud')
      .describe('Platform of the media. `cidata` needs `nocloud`.'),
    arch: z.enum(['amd64', 'arm64']).default('amd64').describe('Architecture of the machines.'),
    secure_boot: z.boolean().default(false).describe('Secure boot; needs `vm.bios: ovmf`.'),
    disk_encryption: z
      .union([z.boolean(), diskEncryption])
      .prefault(false)
      .transform((value) =>
        value === true
          ? { state: true, ephemeral: true, key: 'node-id' as const }
          : value === false
            ? undefined
            : value,
      )
      .describe('Encryption of the system disk: `true`, or `state`, `ephemeral` and `key`.'),
    full_clone: z.boolean().default(true).describe('Clones of a template are independent of it.'),
    install_disk: textOf('a disk', '/dev/sda', (text) => text.startsWith('/dev/'))
      .default('/dev/sda')
      .describe('Disk that Talos installs itself on.'),
    hostnames: z
      .enum(['static', 'dhcp'])
      .default('static')
      .describe('`static`: the config carries the name. `dhcp`: the lease does.'),
    patches: z
      .strictObject({
        cluster: patches.default([]).describe('For every machine.'),
        control_plane: patches.default([]).describe('For control planes.'),
        worker: patches.default([]).describe('For workers.'),
      })
      .prefault({})
      .describe('Config patches: paths of files, or inline. Pools and nodes have their own.'),
    cert_sans: z
      .array(z.string().min(1))
      .default([])
      .describe('Further names and addresses in the certificates of the Talos and Kubernetes APIs.'),
    discovery: z.boolean().default(true).describe('Cluster discovery through `discovery.talos.dev`.'),
    kube_prism: z.boolean().default(true).describe('Load balancer for the API on every node, at 127.0.0.1:7445.'),
    sysctls: z.record(z.string(), scalarText).default({}).describe('Kernel settings.'),
    kernel_modules: z
      .array(
        z
          .union([
            z.string().min(1),
            z.strictObject({
              name: z.string().min(1).describe('Name of the module.'),
              parameters: z.array(z.string()).default([]).describe('Its parameters.'),
            }),
          ])
          .transform((value) => (typeof value === 'string' ? { name: value, parameters: [] as string[] } : value)),
      )
      .default([])
      .describe('Kernel modules to load.'),
    registries: z.array(registry).default([]).describe('Registry mirrors.'),
    log_destinations: z
      .array(textOf('a log destination', 'tcp://10.0.10.5:6051', (text) => /^(tcp|udp):\/\/[^/\s]+:\d+\/?$/.test(text)))
      .default([])
      .describe('Where the machines send their logs.'),
  })
  .prefault({})
  .describe('What the machines boot, and what their configs say.')

/** Settings of Kubernetes itself. */
export const kubernetes = z
  .strictObject({
    dns_domain: z.string().min(1).default('cluster.local').describe('DNS domain of the services.'),
    cni: z
      .enum(['auto', 'flannel', 'none'])
      .default('auto')
      .describe('`auto`: none where an addon brings the network, else the flannel that Talos brings.'),
    kube_proxy: z.boolean().exactOptional().describe('Run kube-proxy. Default: unless Cilium replaces it.'),
    schedule_on_control_planes: z
      .boolean()
      .exactOptional()
      .describe('Workloads may run on control planes. Default: where there are no workers.'),
    feature_gates: z.record(z.string(), z.boolean()).default({}).describe('Feature gates.'),
    kubelet_args: z.record(z.string(), scalarText).default({}).describe('Further arguments of the kubelet.'),
    kubelet_mounts: z
      .array(
        z.strictObject({
          source: z.string().min(1).describe('Path on the node.'),
          destination: z.string().min(1).describe('Path in the kubelet.'),
          options: z.array(z.string()).default(['bind', 'rshared', 'rw']).describe('Mount options.'),
        }),
      )
      .default([])
      .describe('Further mounts of the kubelet.'),
    oidc: z
      .strictObject({
        issuer: httpsUrl.describe('Address of the identity provider, exactly as its tokens name it.'),
        client_id: z.string().min(1).describe('Client that the tokens are made for.'),
        username_claim: z.string().min(1).default('email').describe('Claim that is the name of the user.'),
        username_prefix: z
          .string()
          .min(1)
          .default('oidc:')
          .describe('What stands before it, so that nobody is taken for another.'),
        groups_claim: z.string().min(1).default('groups').describe('Claim that holds the groups.'),
        groups_prefix: z.string().min(1).default('oidc:').describe('What stands before each group.'),
      })
      .exactOptional()
      .describe('People log in to Kubernetes with an identity provider (OpenID Connect).'),
  })
  .prefault({})
  .describe('Settings of Kubernetes itself.')
