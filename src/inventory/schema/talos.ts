import { z } from 'zod'
import { contract, httpUrl, oidcIssuer, oidcPrefix, scalarText, schematicId, textOf, version } from './values.js'

/** A Talos config patch: the path of a file next to the inventory, a patch as text, or inline YAML. */
export const patch = z.union([
  z.string().min(1),
  z.record(z.string(), z.unknown()),
  z.array(z.record(z.string(), z.unknown())),
])

const patches = z.array(patch)

const diskEncryption = z.lazy(() =>
  z
    .strictObject({
      state: z.boolean().default(true).describe('Encrypt the partition that holds the config.'),
      ephemeral: z.boolean().default(true).describe('Encrypt the partition that holds etcd, images and pods.'),
      key: z.enum(['node-id', 'tpm']).default('node-id').describe('`tpm` needs `vm.tpm` and `talos.secure_boot`.'),
    })
    .describe('Encryption of the system disk.'),
)

const registry = z.lazy(() =>
  z.strictObject({
    host: z.string().min(1).describe('Registry, such as `docker.io`, or `*`.'),
    mirrors: z.array(httpUrl).default([]).describe('Mirrors, tried in order.'),
    skip_fallback: z.boolean().default(false).describe('Never fall back to the registry itself.'),
    insecure: z.boolean().default(false).describe('Do not verify certificates.'),
    ca: z.string().min(1).exactOptional().describe('Path of a CA certificate (PEM).'),
  }),
)

/** A system extension; a bare name is one of Sidero Labs. */
export const extension = z
  .string()
  .min(1)
  .transform((name) => (name.includes('/') ? name : `siderolabs/${name}`))

/** Boot images and machine configs. */
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
        '`cidata`: each machine reads its config from an ISO. `apply`: it is sent over the maintenance API. Default: `cidata`, but `apply` if the endpoint is known only from the guest agent.',
      ),
    contract: contract
      .exactOptional()
      .describe(
        'Config format, fixed when the cluster is created. Default: the minor version of `talos_version` at that time.',
      ),
    upgrade_path: z
      .array(version)
      .exactOptional()
      .describe(
        'Intermediate versions for upgrades to `talos_version`. Default: the latest patch of each minor version.',
      ),
    extensions: z
      .array(extension)
      .default([])
      .describe('System extensions, such as `siderolabs/iscsi-tools` or just `iscsi-tools`.'),
    kernel_args: z
      .array(z.string().min(1))
      .default([])
      .describe('Kernel arguments; a leading `-` removes a default one.'),
    schematic: schematicId
      .exactOptional()
      .describe('ID of an existing Image Factory schematic, instead of `extensions` and `kernel_args`.'),
    meta: z
      .array(
        z.lazy(() =>
          z.strictObject({
            key: z.int().min(0).max(255).describe('Number of the META key.'),
            value: z.string().describe('Its value.'),
          }),
        ),
      )
      .default([])
      .describe('META values of the schematic.'),
    overlay: z
      .lazy(() =>
        z.strictObject({
          image: z.string().min(1).describe('Image of the overlay.'),
          name: z.string().min(1).describe('Name of the overlay.'),
          options: z.record(z.string(), z.unknown()).exactOptional().describe('Its options.'),
        }),
      )
      .exactOptional()
      .describe('Overlay of the schematic.'),
    factory_url: httpUrl.default('https://factory.talos.dev').describe('Image Factory.'),
    image_file: z
      .string()
      .min(1)
      .exactOptional()
      .describe('A local disk image or ISO to upload, for sites without access to a factory.'),
    image_checksum: textOf('a checksum', 'sha256:… (64 hex digits)', (text) =>
      /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text),
    )
      .exactOptional()
      .describe('Checksum of the image. Without it, only the size is compared.'),
    iso: z.string().min(1).exactOptional().describe('An existing ISO on a storage, such as `local:iso/talos.iso`.'),
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
    full_clone: z.boolean().default(true).describe('Use full clones of the template.'),
    install_disk: textOf('a disk', '/dev/sda', (text) => text.startsWith('/dev/'))
      .exactOptional()
      .describe('Disk that an ISO installs Talos on. Default: the system disk (scsi0), by its link.'),
    hostnames: z
      .enum(['static', 'dhcp'])
      .default('static')
      .describe('`static`: the name is in the machine config. `dhcp`: it comes from the DHCP lease.'),
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
    kube_prism: z
      .boolean()
      .default(true)
      .describe('KubePrism: a load balancer for the Kubernetes API on every node, at 127.0.0.1:7445.'),
    sysctls: z.record(z.string(), scalarText).default({}).describe('Kernel settings.'),
    kernel_modules: z
      .array(
        z
          .union([
            z.string().min(1),
            z.lazy(() =>
              z.strictObject({
                name: z.string().min(1).describe('Name of the module.'),
                parameters: z.array(z.string()).default([]).describe('Its parameters.'),
              }),
            ),
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
  .describe('Boot images and machine configs.')

/** Kubernetes settings. */
export const kubernetes = z
  .strictObject({
    dns_domain: z.string().min(1).default('cluster.local').describe('DNS domain of the services.'),
    cni: z
      .enum(['auto', 'flannel', 'none'])
      .default('auto')
      .describe('`auto`: none if an addon provides the network, else the flannel of Talos.'),
    kube_proxy: z.boolean().exactOptional().describe('Run kube-proxy. Default: unless Cilium replaces it.'),
    schedule_on_control_planes: z
      .boolean()
      .exactOptional()
      .describe('Allow workloads on control planes. Default: if there are no workers.'),
    feature_gates: z.record(z.string(), z.boolean()).default({}).describe('Feature gates.'),
    kubelet_args: z.record(z.string(), scalarText).default({}).describe('Further arguments of the kubelet.'),
    kubelet_mounts: z
      .array(
        z.lazy(() =>
          z.strictObject({
            source: z.string().min(1).describe('Path on the node.'),
            destination: z.string().min(1).describe('Path in the kubelet.'),
            options: z.array(z.string()).default(['bind', 'rshared', 'rw']).describe('Mount options.'),
          }),
        ),
      )
      .default([])
      .describe('Further mounts of the kubelet.'),
    oidc: z
      .lazy(() =>
        z.strictObject({
          issuer: oidcIssuer.describe('Issuer URL of the identity provider, exactly as in its tokens.'),
          client_id: z.string().min(1).describe('Client ID that the tokens are issued for.'),
          username_claim: z.string().min(1).default('email').describe('Claim with the user name.'),
          username_prefix: oidcPrefix.default('oidc:').describe('Prefix of user names, to avoid collisions.'),
          groups_claim: z.string().min(1).default('groups').describe('Claim with the groups.'),
          groups_prefix: oidcPrefix.default('oidc:').describe('Prefix of group names.'),
        }),
      )
      .exactOptional()
      .describe('Log in to Kubernetes with an identity provider (OpenID Connect).'),
  })
  .prefault({})
  .describe('Settings of Kubernetes itself.')
