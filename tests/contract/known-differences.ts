/** Exchanges in which the lab answers otherwise, by file and title, with the reason. */
export interface KnownDifference {
  readonly file: RegExp
  readonly title: RegExp
  readonly reason: string
}

const anyFile = /./

export const knownDifferences: readonly KnownDifference[] = [
  {
    file: /01b-auth/,
    title: anyFile,
    reason: 'recorded with the texts from before 8.4.17; the lab speaks as 8.4.21 and 9.2.11 do',
  },
  {
    file: /09-qemu-agent/,
    title:
      /exec|file-|get-osinfo|answering: info|get-time$|network-get-interfaces$|set-user-password|status after reboot/,
    reason: 'the recorded guest was a Debian whose agent runs programs; that of Talos does not',
  },
  {
    file: /02-cluster-node|14-permissions/,
    title:
      /node (status|dns|hosts|subscription|qemu (cpu|machine) capabilities|hardware pci|rrddata|name "localhost" as alias)|pending changes visible|provisioner node status/,
    reason: 'the hardware, operating system and measurements of the recorded host',
  },
  { file: /08-qemu|02-cluster/, title: /rrddata/, reason: 'measurements of the recorded host' },
  { file: /08-qemu/, title: /vncproxy/, reason: 'the recorder kept this body as cut text' },
  {
    file: /17-firewall/,
    title: /macros/,
    reason: "the descriptions of macros are Proxmox's sentences; the lab has its own",
  },
  { file: /18-ha/, title: /lxc create|ceph status|netstat/, reason: 'containers and Ceph are not simulated' },
  {
    file: /18-ha/,
    title: /certificates info/,
    reason: "the lab's certificate is made with an elliptic curve and shown without its CA",
  },
  {
    file: /18-ha|11-clone/,
    title: /VM start while HA managed - task log|start linked clone - task log/,
    reason: 'a warning of the Perl that was used for the recording',
  },
  {
    file: /19-ha|18-ha/,
    title: /status|manager_status|hastate|resource after stop|delete HA VM|resources after/,
    reason: 'the states that the HA manager passes through, and when, are simpler in the lab',
  },
  {
    file: /0[2-9]|1[0-9]|2[0-9]/,
    title: /cluster resources|boolean query full|node qemu list|not-backed-up|list shows template|list at end/,
    reason: 'VMs and HA states that unrecorded actions left on the recorded host',
  },
  {
    file: /13-tasks|14-permissions|02-cluster/,
    title:
      /task list|node tasks|GET \/nodes\/pve\/tasks|cluster log|\/cluster\/log|active tasks|log (limit|download)|task log unknown upid/,
    reason: 'tasks of unrecorded actions, and log entries of daemons that the lab does not have',
  },
  {
    file: /13-tasks/,
    title: /migrate preconditions/,
    reason: 'a lock that an unrecorded failure left on the recorded VM',
  },
  {
    file: /14-permissions|16-access|03-http/,
    title: /roles|large list/,
    reason: 'a role of the recorded host that no recording shows in full',
  },
  {
    file: /14-permissions|15-pools|22-/,
    title: /own permissions|permissions of/,
    reason: 'which paths are told depends on rights and members that unrecorded actions left',
  },
  { file: /16-access/, title: /create token bad id/, reason: 'the path is told in its encoded form' },
  { file: /06-qemu|03-http/, title: /9000 chars|600 KiB/, reason: 'the recorder shortened the body that was sent' },
  { file: /06-qemu/, title: /while running/, reason: 'whether the task still runs when it is asked about' },
  { file: /04-storage|05-upload/, title: /^content/, reason: 'whether the last copy has ended when the list is read' },
  { file: /10-disk/, title: /huge/, reason: 'sizes beyond what a double holds exactly' },
  {
    file: /pve9\/(10|11)/,
    title: /task log|task status/,
    reason: 'options that 9 passes to qemu-img and more words in its logs',
  },
  {
    file: /pve9\/04/,
    title: /lvmthin without vgname|format=1|index/,
    reason: 'order of checks and additional keys that only 9.2 has',
  },
  { file: /pve9\/07/, title: /^config$|net0='virtio'/, reason: 'the VMs of this file were made without a recording' },
  {
    file: /pve9\/(01|02|14|15)/,
    title: /nodes|GET \/cluster\/resources|empty lists|node index|unknown node: index|type=(node|sdn)|get with members/,
    reason: 'the statistics daemon of 9 was not at work on the recorded host',
  },
  {
    file: /15-pools/,
    title: /get with members/,
    reason: 'the statistics daemon of 9 was not at work on the recorded host',
  },
  { file: /22-/, title: /parallel|winner|five parallel/, reason: 'which of several callers at once is the first' },
  {
    file: /22-/,
    title: /^3d2|^3j/,
    reason: 'the worker waited for a lock that another process held; the lab has no such process',
  },
  { file: /22-/, title: /^3e|^3h2/, reason: 'files of 1.6 GB are not replayed' },
  {
    file: /22-/,
    title: /^3d /,
    reason: 'how many of the 53 disks were gone when the worker was killed, and in which order',
  },
  {
    file: /22-/,
    title:
      /pool members|pool shows|parent pool|pool still|pool after|VM list|- list$|- pool$|GET list|poolid without rights|cluster resources|list after/,
    reason: 'members, and how old their statistics are, after unrecorded actions',
  },
  {
    file: /22-/,
    title: /^2 |^2b|^3b/,
    reason: 'options are handled in the order of a hash, which differs in each process',
  },
  {
    file: /22-/,
    title: /right after|a little later|timing|^3a|^3c|^3f|^3i|^3h|during|config of 204/,
    reason: 'how far the worker was at that moment',
  },
  {
    file: /22-/,
    title: /^5 (DELETE|GET|create|fourth|list|many)/,
    reason: 'pools that unrecorded actions made or removed',
  },
  { file: /22-/, title: /^7 |^6 |^1 |^4 /, reason: 'tasks and VMs of unrecorded actions' },
]

/** Why an exchange is known to differ; `undefined` for one that should agree. */
export function findReason(file: string, title: string): string | undefined {
  return knownDifferences.find((known) => known.file.test(file) && known.title.test(title))?.reason
}
