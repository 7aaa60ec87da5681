import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const jobOff = defineFinding({
  code: 'ICH0904',
  name: 'The backup job of the machines does not run',
  severity: 'warns',
  needs: ['proxmox.backupJobs'],
  *find({ inventory, observed }) {
    const { backup, cluster_name: cluster } = inventory.settings
    const jobs = ifSeen(observed.proxmox.backupJobs)
    if (backup.machines === undefined || jobs === undefined) return
    const id = `ichor-${cluster}-machines`
    const job = jobs.find((one) => one.id === id)
    if (job?.enabled === true) return
    yield {
      subject: { kind: 'cluster', name: id },
      title: job === undefined ? `The backup job ${id} does not exist.` : `The backup job ${id} is disabled.`,
      detail: 'The data disks of the machines are not backed up.',
      cure: {
        text: observed.proxmox.mayAdminister === false ? 'An administrator writes it.' : 'Write it again.',
        command: observed.proxmox.mayAdminister === false ? 'ichor access' : 'ichor up',
      },
    }
  },
})
