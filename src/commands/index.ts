import type { CommandEntry } from './frame/define-command.js'

const heart = 'The heart'
const inspect = 'Look'
const files = 'Files and secrets'
const years = 'Through the years'
const lab = 'Without hardware'

/** Every verb, in the order of `ichor --help`. One that is not built yet has no `load`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'demo',
    group: lab,
    summary: 'a lab, an inventory, a cluster and its status in one go',
    load: async () => (await import('./demo.js')).default,
  },
  {
    name: 'lab',
    group: lab,
    summary: 'the simulator: start, stop, list, status, log, save, load, fault',
    subcommands: [
      {
        name: 'start',
        group: lab,
        summary: 'start a lab, in the foreground or with --detach',
        load: async () => (await import('./lab/start.js')).default,
      },
      {
        name: 'stop',
        group: lab,
        summary: 'end the lab that runs',
        load: async () => (await import('./lab/stop.js')).default,
      },
      {
        name: 'list',
        group: lab,
        summary: 'the labs that run, by name',
        load: async () => (await import('./lab/list.js')).default,
      },
      {
        name: 'status',
        group: lab,
        summary: 'how it is reached, and which machines run in it',
        load: async () => (await import('./lab/status.js')).default,
      },
      {
        name: 'log',
        group: lab,
        summary: 'every request that it answered',
        load: async () => (await import('./lab/log.js')).default,
      },
      {
        name: 'save',
        group: lab,
        summary: 'write its whole state',
        load: async () => (await import('./lab/save.js')).default,
      },
      {
        name: 'load',
        group: lab,
        summary: 'go on from a saved state',
        load: async () => (await import('./lab/load.js')).default,
      },
      {
        name: 'fault',
        group: lab,
        summary: 'bad weather on demand',
        load: async () => (await import('./lab/fault.js')).default,
      },
    ],
  },
  { name: 'rehearse', group: lab, summary: 'a run against a simulated twin of what is live' },
  { name: 'init', group: heart, summary: 'look at your Proxmox, ask a few questions, write an inventory' },
  {
    name: 'validate',
    group: heart,
    summary: 'check the inventory and say everything that is wrong with it',
    load: async () => (await import('./validate.js')).default,
  },
  {
    name: 'plan',
    group: heart,
    summary: 'show what `up` would do, and why',
    load: async () => (await import('./plan.js')).default,
  },
  {
    name: 'up',
    group: heart,
    summary: 'make the cluster be what the inventory says',
    load: async () => (await import('./up.js')).default,
  },
  {
    name: 'destroy',
    group: heart,
    summary: 'take the cluster away, and nothing else',
    load: async () => (await import('./destroy.js')).default,
  },
  {
    name: 'status',
    group: inspect,
    summary: 'hosts, machines, versions, etcd, certificates, drift',
    load: async () => (await import('./status.js')).default,
  },
  {
    name: 'health',
    group: inspect,
    summary: 'run the named health checks',
    load: async () => (await import('./health.js')).default,
  },
  {
    name: 'capacity',
    group: inspect,
    summary: 'who lives where and what is left; --lose HOST says what would survive',
    load: async () => (await import('./capacity.js')).default,
  },
  {
    name: 'logs',
    group: inspect,
    summary: 'what a service on a node says',
    load: async () => (await import('./logs.js')).default,
  },
  {
    name: 'dmesg',
    group: inspect,
    summary: 'what the kernel of a node says',
    load: async () => (await import('./dmesg.js')).default,
  },
  {
    name: 'support',
    group: inspect,
    summary: 'a bundle for those who help, secrets masked',
    load: async () => (await import('./support.js')).default,
  },
  {
    name: 'schema',
    group: files,
    summary: 'the JSON Schema of the inventory, for editors',
    load: async () => (await import('./schema.js')).default,
  },
  {
    name: 'render',
    group: files,
    summary: 'machine configs, talosconfig, tfvars and more as files',
    load: async () => (await import('./render.js')).default,
  },
  {
    name: 'secrets',
    group: files,
    summary: 'make, show, encrypt, decrypt, rekey, import',
    subcommands: [
      {
        name: 'init',
        group: files,
        summary: 'make the secrets of a new cluster',
        load: async () => (await import('./secrets/init.js')).default,
      },
      {
        name: 'show',
        group: files,
        summary: 'which cluster, which contract, when the authorities expire',
        load: async () => (await import('./secrets/show.js')).default,
      },
      {
        name: 'encrypt',
        group: files,
        summary: 'seal secrets.yaml with SOPS and age',
        load: async () => (await import('./secrets/encrypt.js')).default,
      },
      {
        name: 'decrypt',
        group: files,
        summary: 'the other way round',
        load: async () => (await import('./secrets/decrypt.js')).default,
      },
      {
        name: 'rekey',
        group: files,
        summary: 'encrypt again for the recipients of today',
        load: async () => (await import('./secrets/rekey.js')).default,
      },
      {
        name: 'import',
        group: files,
        summary: 'take over the secrets of a cluster that others made',
        load: async () => (await import('./secrets/import.js')).default,
      },
    ],
  },
  {
    name: 'talosconfig',
    group: files,
    summary: 'client access to the Talos API',
    load: async () => (await import('./talosconfig.js')).default,
  },
  {
    name: 'kubeconfig',
    group: files,
    summary: 'client access to Kubernetes',
    load: async () => (await import('./kubeconfig.js')).default,
  },
  {
    name: 'tunnel',
    group: files,
    summary: 'hold local ports open for other tools',
    load: async () => (await import('./tunnel.js')).default,
  },
  {
    name: 'access',
    group: files,
    summary: 'a least-privilege role, user and token on Proxmox, made or checked',
    load: async () => (await import('./access/make.js')).default,
    subcommands: [
      {
        name: 'check',
        group: files,
        summary: 'what the token lacks, and for which work',
        load: async () => (await import('./access/check.js')).default,
      },
    ],
  },
  {
    name: 'completion',
    group: files,
    summary: 'completion for bash, zsh and fish',
    load: async () => (await import('./completion.js')).default,
  },
  { name: 'scale', group: years, summary: 'add or remove machines' },
  { name: 'replace', group: years, summary: 'give a machine a new body' },
  { name: 'upgrade', group: years, summary: 'Talos and Kubernetes, one minor at a time' },
  { name: 'evacuate', group: years, summary: 'empty a host' },
  {
    name: 'backup',
    group: years,
    summary: 'take an etcd snapshot; list and prune them',
    load: async () => (await import('./backup/take.js')).default,
    subcommands: [
      {
        name: 'list',
        group: years,
        summary: 'the snapshots: age, size, whether they were drilled',
        load: async () => (await import('./backup/list.js')).default,
      },
      {
        name: 'prune',
        group: years,
        summary: 'remove those that backup.etcd.keep does not keep',
        load: async () => (await import('./backup/prune.js')).default,
      },
    ],
  },
  { name: 'restore', group: years, summary: 'recover etcd from a snapshot' },
  {
    name: 'drill',
    group: years,
    summary: 'prove that the backup recovers',
    load: async () => (await import('./drill.js')).default,
  },
  { name: 'doctor', group: years, summary: 'find what does not fit, and repair it' },
  { name: 'adopt', group: years, summary: 'take over what others built' },
  { name: 'watch', group: years, summary: 'reconcile continuously' },
  { name: 'ui', group: years, summary: 'the dashboard' },
]
