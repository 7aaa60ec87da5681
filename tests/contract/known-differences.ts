/** Exchanges in which the lab answers otherwise: reason, file, titles. What begins with "not yet" is the lab's to repair. */
const knownDifferences: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the guest was a Debian whose agent runs programs and reads files; guests of the lab are Talos, whose agent does not':
    {
      '09-qemu-agent': [
        'agent answering: get-osinfo',
        'agent answering: info',
        'agent exec (command array)',
        'agent exec (command string)',
        'agent exec long running',
        'agent exec missing program',
        'agent exec missing program again',
        'agent exec with input-data',
        'agent exec-status',
        'agent exec-status (2)',
        'agent exec-status again (result was consumed)',
        'agent exec-status still running',
        'agent exec-status unknown pid',
        'agent exec-status with exit code',
        'agent file-read',
        'agent file-read missing',
        'agent file-write',
        'agent file-write with non-ASCII content',
      ],
      'pve9/09-qemu-agent': [
        'agent answering: get-osinfo',
        'agent answering: info',
        'agent exec (command array)',
        'agent exec (command string)',
        'agent exec long running',
        'agent exec missing program',
        'agent exec missing program again',
        'agent exec with input-data',
        'agent exec-status',
        'agent exec-status (2)',
        'agent exec-status again (result was consumed)',
        'agent exec-status still running',
        'agent exec-status unknown pid',
        'agent exec-status with exit code',
        'agent file-read',
        'agent file-read missing',
        'agent file-write',
        'agent file-write with non-ASCII content',
      ],
    },
  'a module of the recorded 9 was a stand-in': {
    'pve9/02-cluster-node': ['node subscription'],
  },
  'hardware, kernel, settings and measurements of the recorded host': {
    '02-cluster-node': [
      'node dns',
      'node hardware pci',
      'node hosts',
      'node name "localhost" as alias',
      'node rrddata',
      'node status',
      'node subscription',
    ],
    '08-qemu-lifecycle': ['rrddata of VM'],
    '14-permissions': ['provisioner node status'],
    'pve9/02-cluster-node': [
      'node dns',
      'node hardware pci',
      'node hosts',
      'node name "localhost" as alias',
      'node status',
    ],
    'pve9/14-permissions': ['provisioner node status'],
  },
  'the list of machine types was missing on the recorded host': {
    '02-cluster-node': ['node qemu machine capabilities'],
    'pve9/02-cluster-node': ['node qemu machine capabilities'],
  },
  'certificates of the recorded host: those of the lab have elliptic curves, other dates and other names': {
    '18-ha-sdn-misc': ['certificates info'],
    'pve9/18-ha-sdn-misc': ['certificates info'],
  },
  'a password was taken out of this body, which is no JSON since': {
    '08-qemu-lifecycle': ['vncproxy on a stopped VM'],
  },
  "the lab describes the firewall's macros in its own words": {
    '17-firewall': ['macros'],
    'pve9/17-firewall': ['macros'],
  },
  'Ceph, containers and counters of traffic are not simulated': {
    '18-ha-sdn-misc': ['ceph status (not installed)', 'lxc create without template'],
    'pve9/18-ha-sdn-misc': ['ceph status (not installed)', 'lxc create without template', 'netstat'],
  },
  'a warning of the Perl that the recording ran on': {
    '18-ha-sdn-misc': ['VM start while HA managed - task log'],
    'pve9/11-clone-template': ['start linked clone - task log'],
    'pve9/18-ha-sdn-misc': ['VM start while HA managed - task log'],
  },
  "what an earlier run of the recorder's scripts left: tasks, and statistics of the same VMIDs": {
    '11-clone-template': ['cluster resources shows template'],
    '13-tasks-migrate-backup': ['task list as limited token'],
    '14-permissions': ['lim GET /cluster/log', 'lim GET /nodes/pve/tasks'],
    '15-pools': ['cluster resources show pool'],
  },
  'the file with the network settings of the recorded host, and the comment at its head': {
    '02-cluster-node': ['node network pending changes visible'],
    'pve9/02-cluster-node': ['node network pending changes visible'],
  },
  'the worker process reported paths of a bridge without entries, which it had looked at before': {
    '14-permissions': ['auditor own permissions'],
  },
  'how far a copy had come when it was looked at': {
    '22-killed-workers': [
      '3e killed imgcopy - before the kill: content',
      '3e killed imgcopy - right after the kill: content',
      '3h2 worker and its cp killed together, imgcopy - content (truncated file under its final name)',
    ],
    'pve9/05-upload-order': ['content'],
  },
  'which of two missing options is named is the order of a hash': {
    'pve9/04-storage': ['create lvmthin without vgname'],
  },
  'the recorded 9 ran on the cluster file system of 8, which drops its statistics, and without the daemons of HA and of VM events':
    {
      'pve9/01-auth': ['privsep token without ACLs sees empty lists'],
      'pve9/02-cluster-node': [
        'cluster resources',
        'cluster resources type=node',
        'cluster resources type=vm',
        'node qemu list empty',
        'nodes',
        'nodes as a limited token',
      ],
      'pve9/03-http-quirks': ["boolean query full='0'", "boolean query full='1'"],
      'pve9/11-clone-template': ['cluster resources shows template', 'list shows template'],
      'pve9/14-permissions': ['lim GET /cluster/resources', 'lim GET /nodes'],
      'pve9/15-pools': ['cluster resources show pool', 'get with members', 'get with members type=qemu'],
      'pve9/18-ha-sdn-misc': ['ha status current '],
    },
  'a snapshot that is marked not authoritative had failed half-way': {
    'pve9/12-snapshots': ['list at end'],
    'pve9/13-tasks-migrate-backup': ['task list statusfilter'],
  },
  'which of the two daemons of HA looks first when both are due': {
    '19-ha-live': ['status after start'],
  },
}

/** Why an exchange is known to differ; `undefined` for one that should agree. */
export function findReason(file: string, title: string): string | undefined {
  return Object.entries(knownDifferences).find(([, files]) => files[file]?.includes(title) === true)?.[0]
}

/** Every exchange that stands in the table. */
export function knownTitles(): string[] {
  return Object.values(knownDifferences).flatMap((files) =>
    Object.entries(files).flatMap(([file, titles]) => titles.map((title) => `${file} | ${title}`)),
  )
}
