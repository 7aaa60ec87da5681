import { z } from 'zod'
import { network, oneOrMore, port, secret, storageName, textOf } from './values.js'

const schedule = textOf('a cron schedule', '0 */6 * * *', (text) => /^(\S+\s+){4}\S+$/.test(text.trim()))

/** Who may talk to the nodes. */
export const firewall = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Rules on Proxmox and in Talos; everything else is dropped.'),
    admin_networks: oneOrMore(network).prefault([]).describe('From where Talos and Kubernetes APIs may be reached.'),
    open_ports: z
      .array(
        z.strictObject({
          port: port.describe('Port of the nodes.'),
          protocol: z.enum(['tcp', 'udp']).default('tcp').describe('Protocol.'),
          from: oneOrMore(network).prefault(['0.0.0.0/0']).describe('From where.'),
        }),
      )
      .default([])
      .describe('Further ports, such as those of an ingress.'),
    proxmox: z.boolean().default(true).describe('Rules on the VMs, by Proxmox.'),
    talos: z.boolean().default(true).describe('Rules in the nodes, by Talos.'),
  })
  .prefault({})
  .describe('Who may talk to the nodes.')

/** Snapshots and backups. */
export const backup = z
  .strictObject({
    etcd: z
      .strictObject({
        schedule: schedule.exactOptional().describe('When `watch` takes a snapshot of etcd.'),
        keep: z.int().min(1).default(14).describe('How many are kept.'),
        store: z.string().min(1).default('backups').describe('Folder beside the inventory, or `s3://BUCKET/PREFIX`.'),
        endpoint: z.string().min(1).exactOptional().describe('Address of the S3 service.'),
        region: z.string().min(1).exactOptional().describe('Region of the S3 service.'),
        access_key: secret.exactOptional().describe('Access key, by reference.'),
        secret_key: secret.exactOptional().describe('Secret key, by reference.'),
      })
      .prefault({})
      .describe('Snapshots of etcd.'),
    machines: z
      .strictObject({
        schedule: z
          .string()
          .min(1)
          .describe('When Proxmox backs the machines up, in its own words, such as `sun 02:00`.'),
        datastore: storageName.describe('Storage of the backups.'),
        keep: z.int().min(1).default(3).describe('How many are kept.'),
      })
      .exactOptional()
      .describe('A Proxmox backup job for the machines.'),
  })
  .prefault({})
  .describe('Snapshots and backups.')

/** Who is notified of what happens. */
export const observability = z
  .strictObject({
    metrics_port: port.exactOptional().describe('Port on which `watch` serves Prometheus metrics.'),
    webhook: secret.exactOptional().describe('Address that notices are posted to, by reference: it may hold a token.'),
    certificate_warning_days: z
      .int()
      .min(1)
      .default(30)
      .describe('Days before the end of a certificate at which `status` warns.'),
  })
  .prefault({})
  .describe('Who is notified of what happens.')

/** Tags of every machine in Proxmox. */
export const tags = z
  .array(textOf('a Proxmox tag', 'talos', (text) => /^[a-z0-9_][a-z0-9_\-+.]*$/.test(text)))
  .default([])
  .describe('Tags of every machine in Proxmox, beside those of ichor.')

/** Machines that are never deleted. */
export const protect = z
  .union([z.boolean(), z.enum(['control_plane']), z.array(z.string().min(1))])
  .default(false)
  .describe('Machines that are never deleted or replaced: `true` for all, `control_plane`, or a list of names.')
