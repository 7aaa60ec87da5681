// Builds a cluster in a lab, and watches the events of the run. The lab ends with this program, and the cluster with it:
// before you run it again, delete secrets.lab.sops.yaml beside the inventory.
//   node bring-up.js [inventory]
import { loadInventory, openLab, openSession, type PlanView, type RunEvent, run, up } from '@ichor-talos/ichor'

const { env } = process

/** One line for each step that ends; `ichor up --json` prints the same events. */
function show(event: RunEvent): void {
  if (event.type === 'run.started') console.log(`${event.cluster}: ${event.steps.length} steps`)
  if (event.type === 'step.finished') console.log(`${event.outcome} after ${event.ms} ms: ${event.step}`)
  if (event.type === 'step.failed') console.log(`${event.problem} ${event.fix}`)
}

/** Here a program approves the plan without showing it to a user. */
async function losesNothing({ steps }: PlanView): Promise<boolean> {
  return steps.every(({ loses }) => loses.length === 0)
}

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const lab = await openLab(await loadInventory(process.argv[2] ?? 'cluster.yaml', { env }), { speed: 100 })
const session = await openSession(lab.inventory, { env, lab: lab.access, notify: console.error })
try {
  const { outcome, changed } = await run(session, {
    goal: up,
    consent: { confirm: losesNothing },
    sinks: [show],
    signal: stop.signal,
  })
  console.log(`${outcome}, ${changed} changes`)
} finally {
  await session.close()
  await lab.close()
}
