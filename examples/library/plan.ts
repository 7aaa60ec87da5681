// Shows what `ichor up` would do, and why. Changes nothing.
//   node plan.js [inventory]
import { loadInventory, openLab, openSession, preview, up } from '@ichor-talos/ichor'

const { env } = process
const signal = new AbortController().signal

// A lab in this process stands in for Proxmox; for the real one, leave out `lab` and pass the inventory itself.
const lab = await openLab(await loadInventory(process.argv[2] ?? 'cluster.yaml', { env }))
const session = await openSession(lab.inventory, { env, lab: lab.access, notify: console.error })
try {
  const plan = await preview(session, { goal: up, signal })
  for (const { title, reason } of plan.steps) console.log(`${title}: ${reason}`)
} finally {
  await session.close()
  await lab.close()
}
