import { z } from 'zod'
import { auditPolicy } from './audit.js'
import {
  address,
  bridgeName,
  cpuCount,
  cron,
  diskSize,
  duration,
  hostName,
  httpUrl,
  memorySize,
  network,
  oneOrMore,
  port,
  secret,
  storageName,
  textOf,
  timeZone,
} from './values.js'

const recipient = textOf('an age recipient', 'age1… (62 characters)', (text) => /^age1[0-9a-z]{58}$/.test(text))

const kept = z.int().min(0)

/** How many snapshots are kept: a number of the newest, or newest, daily, weekly and monthly ones. */
const retention = z
  .union([
    z.int().min(1),
    z
      .strictObject({
        last: kept.default(0).describe('How many of the newest to keep.'),
        daily: kept.default(0).describe('Keep the last one of each day, for this many days.'),
        weekly: kept.default(0).describe('Keep the last one of each week, for this many weeks.'),
        monthly: kept.default(0).describe('Keep the last one of each month, for this many months.'),
      })
      .refine((keep) => Object.values(keep).some((count) => count > 0), {
        error: 'keeps no snapshot at all',
        params: { fix: 'Write a number above 0 for last, daily, weekly or monthly.' },
      }),
  ])
  .prefault(14)
  .transform((keep) => (typeof keep === 'number' ? { last: keep, daily: 0, weekly: 0, monthly: 0 } : keep))

/** Who may talk to the nodes. */
export const firewall = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Rules on the VMs and in the nodes for the ports of the cluster.'),
    admin_networks: oneOrMore(network)
      .prefault([])
      .describe('From where the APIs of Talos and Kubernetes may be reached, beside the nodes.'),
    default_deny: z
      .boolean()
      .default(false)
      .describe('Drop everything that no rule allows. Else only the ports of the cluster are closed for others.'),
    node_ports: oneOrMore(network)
      .prefault([])
      .describe('From where services of type NodePort may be reached. Without it, `default_deny` decides.'),
    open_ports: z
      .array(
        z.lazy(() =>
          z.strictObject({
            port: port.describe('Port of the nodes.'),
            protocol: z.enum(['tcp', 'udp']).default('tcp').describe('Protocol.'),
            from: oneOrMore(network).prefault(['0.0.0.0/0']).describe('From where.'),
          }),
        ),
      )
      .default([])
      .describe('Further ports, such as those of an ingress.'),
    proxmox: z.boolean().default(true).describe('Rules on the VMs, by Proxmox.'),
    talos: z.boolean().default(true).describe('Rules in the nodes, by Talos.'),
    hosts: z
      .boolean()
      .default(false)
      .describe('Enable the firewall of the Proxmox datacenter: hosts are administered from `admin_networks` only.'),
    network_policies: z
      .boolean()
      .default(false)
      .describe(
        'NetworkPolicies that deny by default, as `addons.network_policies: true`; needs a CNI that enforces them.',
      ),
    trial: duration
      .prefault('60s')
      .describe('How long a new rule set is tried before it is kept; it is undone if the nodes cannot be reached.'),
  })
  .prefault({})
  .describe('Who may talk to the nodes.')

/** Snapshots and backups. */
export const backup = z
  .strictObject({
    etcd: z
      .strictObject({
        schedule: cron.exactOptional().describe('When a snapshot of etcd is due, for `backup --if-due` and `watch`.'),
        time_zone: timeZone.default('UTC').describe('Time zone of the schedule.'),
        keep: retention.describe('How many to keep: a number, or `last`, `daily`, `weekly` and `monthly`.'),
        recipients: z
          .array(recipient)
          .exactOptional()
          .describe(
            'age recipients of the data of etcd in snapshots. Default: those of the secrets file, which alone get the cluster secrets.',
          ),
        store: z.string().min(1).default('backups').describe('Folder beside the inventory, or `s3://BUCKET/PREFIX`.'),
        endpoint: z.string().min(1).exactOptional().describe('Address of the S3 service.'),
        region: z.string().min(1).exactOptional().describe('Region of the S3 service.'),
        access_key: secret.exactOptional().describe('Access key, by reference.'),
        secret_key: secret.exactOptional().describe('Secret key, by reference.'),
      })
      .prefault({})
      .describe('Snapshots of etcd.'),
    machines: z
      .lazy(() =>
        z.strictObject({
          schedule: z
            .string()
            .min(1)
            .describe('Schedule of the Proxmox backup job, as a calendar event such as `sun 02:00`.'),
          datastore: storageName.describe('Storage of the backups.'),
          keep: z.int().min(1).default(3).describe('How many are kept.'),
          guests: z.boolean().default(false).describe('Also back up the guests of this inventory.'),
          control_planes: z
            .boolean()
            .default(false)
            .describe(
              'Also back up control planes. Never restore one into a running cluster: its etcd member would be outdated.',
            ),
        }),
      )
      .exactOptional()
      .describe('A Proxmox backup job for the machines.'),
  })
  .prefault({})
  .describe('Snapshots and backups.')

/** A test restore on an isolated machine. */
export const drill = z
  .strictObject({
    bridge: bridgeName
      .exactOptional()
      .describe('Bridge of the machine that a snapshot is restored on. Without one, only `drill --offline` works.'),
    isolated: z.boolean().default(false).describe('Nothing else is reachable from that bridge.'),
    host: hostName.exactOptional().describe('Host of that machine. Default: the first with free capacity.'),
    datastore: storageName.exactOptional().describe('Storage of its disk. Default: `proxmox.datastore`.'),
    address: address.exactOptional().describe('Its address; needed with static addresses.'),
    mirror: httpUrl.exactOptional().describe('Registry mirror that it pulls images from.'),
    size: z
      .strictObject({
        cpu: cpuCount.exactOptional().describe('vCPUs.'),
        ram: memorySize.exactOptional().describe('Memory; a bare number is MiB.'),
        disk: diskSize.exactOptional().describe('System disk; a bare number is GiB.'),
      })
      .prefault({})
      .describe('Its size. Default: `sizing.control_plane`.'),
  })
  .prefault({})
  .describe('Temporary machine on which `drill` restores a snapshot.')

const rollCommand = z.strictObject({
  command: z.array(z.string().min(1)).min(1).describe('Program and arguments; exit 0 passes.'),
})

const rollUrl = z.strictObject({ url: httpUrl.describe('URL that must return a 2xx status.') })

const plainValue = z.union([z.string(), z.number(), z.boolean()])

const rollObject = z.strictObject({
  object: z
    .strictObject({
      api_version: textOf('an API version', 'ceph.rook.io/v1', (text) =>
        /^([a-z0-9.-]+\/)?v\d\w*$/.test(text),
      ).describe('Its API version.'),
      kind: textOf('a kind other than Secret', 'CephCluster', (text) => /^(?!Secret$)[A-Z]\w*$/.test(text)).describe(
        'Its kind.',
      ),
      namespace: z.string().min(1).exactOptional().describe('Its namespace; left out for kinds without one.'),
      name: z.string().min(1).exactOptional().describe('Its name. Default: every object of that kind there.'),
    })
    .describe('Object in Kubernetes. There must be at least one.'),
  path: textOf('a path', 'status.ceph.health', (text) => /^[^.]+(\.[^.]+)*$/.test(text)).describe(
    'Field of the object; a number is a place in a list.',
  ),
  equals: z
    .union([plainValue, z.array(plainValue).min(1)])
    .describe('The value that the field must have, or several, one of which it must have.'),
})

/** How machines are restarted, upgraded and replaced. */
export const roll = z
  .strictObject({
    check: z.union([rollCommand, rollUrl]).exactOptional().describe('Short form of `checks` with one entry.'),
    checks: z
      .array(z.lazy(() => z.union([rollCommand, rollUrl, rollObject])))
      .default([])
      .describe('Custom checks that must pass after each machine: `command`, `url`, or `object`, `path` and `equals`.'),
    before: z
      .array(z.lazy(() => rollCommand))
      .default([])
      .describe('Commands that run before each machine is drained. If one fails, the machine is left alone.'),
    after: z
      .array(z.lazy(() => rollCommand))
      .default([])
      .describe('Commands that run when each machine is back, before it takes work again.'),
    check_timeout: duration
      .prefault('5m')
      .describe('How long the checks may fail before the roll stops, and how long `before` and `after` may run.'),
    drain_timeout: duration.prefault('10m').describe('How long a drain may take.'),
    ignore_budgets: z.boolean().default(false).describe('Ignore PodDisruptionBudgets after the drain timeout.'),
  })
  .prefault({})
  .describe('How machines are restarted, upgraded and replaced.')

/** How `watch` follows the cluster. */
export const watch = z
  .strictObject({
    every: duration.prefault('10m').describe('How often the cluster is compared with the inventory.'),
    listen: textOf('a host and a port', '127.0.0.1:9469', (text) => /^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/.test(text))
      .default('127.0.0.1:9469')
      .describe('Where metrics are served.'),
    apply: z
      .boolean()
      .default(false)
      .describe('Carry out approved plans from the folder `approvals`. The process also needs `--apply`.'),
    window: z
      .array(
        z.lazy(() =>
          z.strictObject({
            cron: cron.describe('When it begins.'),
            for: duration.describe('How long it lasts.'),
            time_zone: timeZone.default('UTC').describe('Time zone of `cron`.'),
          }),
        ),
      )
      .default([])
      .describe('When approved plans are carried out. At the end, the machine at hand is finished. Default: always.'),
    token: secret.exactOptional().describe('Bearer token for the metrics, by reference. Default: none is needed.'),
  })
  .prefault({})
  .describe('How `watch` follows the cluster.')

const webhook = z.strictObject({
  url: secret.describe('Address, by reference: it may contain a token.'),
  kind: z
    .enum(['json', 'slack', 'ntfy'])
    .default('json')
    .describe('`json`: the events; `slack`: a text for Slack and what is compatible; `ntfy`: a message of ntfy.'),
  secret: secret.exactOptional().describe('Key that requests are signed with, by reference.'),
  on: z
    .array(textOf('a code or a severity', 'ICH0501', (text) => /^(ICH\d{4}|blocks|warns|info)$/.test(text)))
    .default([])
    .describe('Codes of findings, and severities `blocks`, `warns` and `info`. Default: everything.'),
})

/** What is logged, and who is notified. */
export const observability = z
  .strictObject({
    webhooks: z
      .array(z.lazy(() => webhook))
      .default([])
      .describe('Who is notified by `watch`, once per change.'),
    certificate_warning_days: z
      .int()
      .min(1)
      .default(30)
      .describe(
        'Days before the end of a certificate at which `status` and `health` warn, and at which `up` renews the talosconfig and kubeconfig beside the inventory (no later than 30 days before).',
      ),
    audit_policy: auditPolicy
      .exactOptional()
      .describe('Audit policy of the Kubernetes API server. Default: metadata of all requests, without bodies.'),
  })
  .prefault({})
  .describe('Notifications and audit logs.')

/** Access that `up` leaves beside the inventory. */
export const clientFiles = z
  .strictObject({
    kubeconfig: z
      .enum(['certificate', 'exec', 'none'])
      .default('certificate')
      .describe(
        'What `up` writes: a kubeconfig with a certificate and its key; `exec`: without a key, kubectl calls `ichor credential` for a certificate valid for one hour; or `none`.',
      ),
    talosconfig: z
      .enum(['certificate', 'none'])
      .default('certificate')
      .describe('What `up` writes: a talosconfig with a certificate and its key, or `none`.'),
    lifetime: duration
      .prefault('365d')
      .describe('How long these certificates are valid; `up` renews them in time, short ones after half of it.'),
  })
  .prefault({})
  .describe('The kubeconfig and the talosconfig that `up` writes beside the inventory.')

/** Tags of every machine in Proxmox. */
export const tags = z
  .array(textOf('a Proxmox tag', 'talos', (text) => /^[a-z0-9_][a-z0-9_\-+.]*$/.test(text)))
  .default([])
  .describe('Additional Proxmox tags of every machine.')

/** Machines that are never deleted. */
export const protect = z
  .union([z.boolean(), z.enum(['control_plane']), z.array(z.string().min(1))])
  .default(false)
  .describe(
    'Machines that are never deleted or replaced: `true` for all, `control_plane`, or a list of machines, of worker pools (`workers` for workers in none), and `control_plane`.',
  )

const advisoriesFile = z.string().min(1)

/** Advisories of the site, besides those that come with ichor. */
export const advisories = z
  .union([
    advisoriesFile,
    z.strictObject({
      file: advisoriesFile.describe('Path of the file.'),
      key: textOf('an ed25519 public key', 'its 32 bytes in base64', (text) => /^[A-Za-z0-9+/]{43}=$/.test(text))
        .exactOptional()
        .describe('Who signs the file: it must have a signature beside it, in a file of the same name with `.sig`.'),
    }),
  ])
  .transform((given): { readonly file: string; readonly key?: string } =>
    typeof given === 'string' ? { file: given } : given,
  )
  .describe('File with combinations of versions that are known to break, besides those that come with ichor.')
