// Shows what `ichor up` would do, and why. Changes nothing.
//   node plan.js [inventory]
import { connect, loadInventory, loadSpec, openLab, preview, up } from 'ichor'

const { env } = process
const signal = new AbortController().signal

// A lab in this process stands in for Proxmox; for the real one, leave out `lab` and pass the inventory itself.
const lab = await openLab(await loadInventory(process.argv[2] ?? 'cluster.yaml', { env }))
const { world, close } = await connect(lab.inventory, { env, lab: lab.access, notify: console.error })
try {
  const spec = await loadSpec(lab.inventory, { env, world, isLab: true })
  const { plan } = await preview({ spec, world, goal: up, signal })
  for (const { title, reason } of plan.steps) console.log(`${title}: ${reason}`)
} finally {
  await close()
  await lab.close()
}
