import type { CommandEntry } from './frame/define-command.js'

const start = 'Start'
const build = 'Build'
const look = 'Look'
const change = 'Change'
const protect = 'Protect'
const connect = 'Connect'
const manage = 'Manage'

/** All commands, in the order of `ichor --help`. One that is not built yet has no `load`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'demo',
    group: start,
    summary: 'build a cluster on a simulated Proxmox and show its status',
    load: async () => (await import('./demo.js')).default,
  },
  {
    name: 'lab',
    group: start,
    summary: 'the simulator: start, stop, list, status, log, save, load, fault',
    subcommands: [
      {
        name: 'start',
        group: start,
        summary: 'start a lab, in the foreground or with --detach',
        load: async () => (await import('./lab/start.js')).default,
      },
      {
        name: 'stop',
        group: start,
        summary: 'stop the lab',
        load: async () => (await import('./lab/stop.js')).default,
      },
      {
        name: 'list',
        group: start,
        summary: 'list running labs',
        load: async () => (await import('./lab/list.js')).default,
      },
      {
        name: 'status',
        group: start,
        summary: 'show endpoints, credentials and machines of the lab',
        load: async () => (await import('./lab/status.js')).default,
      },
      {
        name: 'log',
        group: start,
        summary: 'show the requests that the lab served',
        load: async () => (await import('./lab/log.js')).default,
      },
      {
        name: 'save',
        group: start,
        summary: 'save the state of the lab to a file',
        load: async () => (await import('./lab/save.js')).default,
      },
      {
        name: 'load',
        group: start,
        summary: 'start a lab from a saved state',
        load: async () => (await import('./lab/load.js')).default,
      },
      {
        name: 'fault',
        group: start,
        summary: 'inject a fault',
        load: async () => (await import('./lab/fault.js')).default,
      },
    ],
  },
  {
    name: 'init',
    group: start,
    summary: 'inspect Proxmox, ask a few questions, write an inventory',
    load: async () => (await import('./init.js')).default,
  },
  {
    name: 'adopt',
    group: start,
    summary: 'write an inventory for a cluster that something else made',
    load: async () => (await import('./adopt.js')).default,
  },
  {
    name: 'validate',
    group: build,
    summary: 'check the inventory and list all problems',
    load: async () => (await import('./validate.js')).default,
  },
  {
    name: 'plan',
    group: build,
    summary: 'show what `up` would change, and why',
    load: async () => (await import('./plan.js')).default,
  },
  {
    name: 'up',
    group: build,
    summary: 'create or change the cluster to match the inventory',
    load: async () => (await import('./up.js')).default,
  },
  {
    name: 'destroy',
    group: build,
    summary: 'delete the cluster, and nothing else',
    load: async () => (await import('./destroy.js')).default,
  },
  {
    name: 'eject',
    group: build,
    summary: 'let a cluster go: its machines run on without ichor',
    load: async () => (await import('./eject.js')).default,
  },
  {
    name: 'status',
    group: look,
    summary: 'show hosts, machines, versions, etcd, certificates and drift',
    load: async () => (await import('./status.js')).default,
  },
  {
    name: 'health',
    group: look,
    summary: 'run the named health checks',
    load: async () => (await import('./health.js')).default,
  },
  {
    name: 'capacity',
    group: look,
    summary: 'show capacity and usage per host; --lose HOST: what would survive',
    load: async () => (await import('./capacity.js')).default,
  },
  {
    name: 'watch',
    group: look,
    summary: 'follow clusters: report what changes once, serve metrics, call webhooks',
    load: async () => (await import('./watch.js')).default,
    subcommands: [
      {
        name: 'suspend',
        group: look,
        summary: 'no watch acts on a cluster any more, until resume',
        load: async () => (await import('./watch/suspend.js')).default,
      },
      {
        name: 'resume',
        group: look,
        summary: 'a watch may act on a cluster again',
        load: async () => (await import('./watch/resume.js')).default,
      },
    ],
  },
  {
    name: 'metrics',
    group: look,
    summary: 'print what is seen as metrics for Prometheus; --out FILE.prom for node_exporter',
    load: async () => (await import('./metrics.js')).default,
  },
  {
    name: 'ui',
    group: look,
    summary: 'show the estate, the plan and runs on a page in the browser',
    load: async () => (await import('./ui.js')).default,
  },
  {
    name: 'logs',
    group: look,
    summary: 'show the logs of a service on a node',
    load: async () => (await import('./logs.js')).default,
  },
  {
    name: 'dmesg',
    group: look,
    summary: 'show the kernel messages of a node',
    load: async () => (await import('./dmesg.js')).default,
  },
  {
    name: 'support',
    group: look,
    summary: 'collect a support archive, with secrets masked',
    load: async () => (await import('./support.js')).default,
  },
  {
    name: 'schema',
    group: manage,
    summary: 'print the JSON Schema of the inventory, for editors',
    load: async () => (await import('./schema.js')).default,
  },
  {
    name: 'lock',
    group: manage,
    summary: 'pin the bytes of images and charts, so that a second site gets the same',
    load: async () => (await import('./lock.js')).default,
  },
  {
    name: 'render',
    group: manage,
    summary: 'write machine configs, talosconfig, Terraform variables and diagrams as files',
    load: async () => (await import('./render.js')).default,
  },
  {
    name: 'secrets',
    group: manage,
    summary: 'create, show, encrypt, decrypt, rekey, rotate, recover, import',
    subcommands: [
      {
        name: 'init',
        group: start,
        summary: 'create the secrets of a new cluster',
        load: async () => (await import('./secrets/init.js')).default,
      },
      {
        name: 'show',
        group: manage,
        summary: 'show the cluster, the contract and when the CAs expire',
        load: async () => (await import('./secrets/show.js')).default,
      },
      {
        name: 'encrypt',
        group: manage,
        summary: 'encrypt secrets.yaml with SOPS and age',
        load: async () => (await import('./secrets/encrypt.js')).default,
      },
      {
        name: 'decrypt',
        group: manage,
        summary: 'decrypt secrets.sops.yaml into secrets.yaml',
        load: async () => (await import('./secrets/decrypt.js')).default,
      },
      {
        name: 'rekey',
        group: manage,
        summary: 're-encrypt for the current recipients',
        load: async () => (await import('./secrets/rekey.js')).default,
      },
      {
        name: 'rotate',
        group: manage,
        summary: 'replace the CA of Talos or Kubernetes while the cluster runs',
        load: async () => (await import('./secrets/rotate.js')).default,
      },
      {
        name: 'recover',
        group: manage,
        summary: 'read rotated keys back from a control plane',
        load: async () => (await import('./secrets/recover.js')).default,
      },
      {
        name: 'import',
        group: manage,
        summary: 'import the secrets of an existing cluster',
        load: async () => (await import('./secrets/import.js')).default,
      },
    ],
  },
  {
    name: 'talosconfig',
    group: connect,
    summary: 'write client access to the Talos API',
    load: async () => (await import('./talosconfig.js')).default,
  },
  {
    name: 'credential',
    group: connect,
    summary: 'print a certificate valid for one hour, for kubectl (see kubeconfig --exec)',
    load: async () => (await import('./credential.js')).default,
  },
  {
    name: 'kubeconfig',
    group: connect,
    summary: 'write client access to Kubernetes',
    load: async () => (await import('./kubeconfig.js')).default,
  },
  {
    name: 'tunnel',
    group: connect,
    summary: 'open local ports to the APIs for other tools',
    load: async () => (await import('./tunnel.js')).default,
  },
  {
    name: 'access',
    group: manage,
    summary: 'create or check a least-privilege token on Proxmox',
    load: async () => (await import('./access/make.js')).default,
    subcommands: [
      {
        name: 'check',
        group: manage,
        summary: 'list missing privileges of the token',
        load: async () => (await import('./access/check.js')).default,
      },
    ],
  },
  {
    name: 'image',
    group: manage,
    summary: 'list and prune Talos images',
    subcommands: [
      {
        name: 'list',
        group: manage,
        summary: 'list images and templates, and the machines that use them',
        load: async () => (await import('./image/list.js')).default,
      },
      {
        name: 'prune',
        group: manage,
        summary: 'delete images that no machine uses',
        load: async () => (await import('./image/prune.js')).default,
      },
    ],
  },
  {
    name: 'completion',
    group: manage,
    summary: 'print the completion script for bash, zsh or fish',
    load: async () => (await import('./completion.js')).default,
  },
  {
    name: 'scale',
    group: change,
    summary: 'add or remove machines',
    load: async () => (await import('./scale.js')).default,
  },
  {
    name: 'replace',
    group: change,
    summary: 'replace a machine, or all machines of a lost host',
    load: async () => (await import('./replace.js')).default,
  },
  {
    name: 'upgrade',
    group: change,
    summary: 'upgrade Talos and Kubernetes, one minor version at a time',
    load: async () => (await import('./upgrade.js')).default,
  },
  {
    name: 'reboot',
    group: change,
    summary: 'drain and reboot machines, one at a time',
    load: async () => (await import('./reboot.js')).default,
  },
  {
    name: 'evacuate',
    group: change,
    summary: 'move all machines off a host',
    load: async () => (await import('./evacuate.js')).default,
  },
  {
    name: 'shutdown',
    group: change,
    summary: 'shut the whole cluster down, in order',
    load: async () => (await import('./shutdown.js')).default,
  },
  {
    name: 'backup',
    group: protect,
    summary: 'take an etcd snapshot; list and prune them',
    load: async () => (await import('./backup/take.js')).default,
    subcommands: [
      {
        name: 'list',
        group: protect,
        summary: 'list snapshots with age, size and last drill',
        load: async () => (await import('./backup/list.js')).default,
      },
      {
        name: 'prune',
        group: protect,
        summary: 'delete snapshots according to backup.etcd.keep',
        load: async () => (await import('./backup/prune.js')).default,
      },
    ],
  },
  {
    name: 'restore',
    group: protect,
    summary: 'recover etcd from a snapshot',
    load: async () => (await import('./restore.js')).default,
  },
  {
    name: 'drill',
    group: protect,
    summary: 'verify that a backup can be restored',
    load: async () => (await import('./drill.js')).default,
  },
  {
    name: 'doctor',
    group: protect,
    summary: 'find what does not fit, and why',
    load: async () => (await import('./doctor.js')).default,
  },
]
