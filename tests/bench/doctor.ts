import { seen } from '../../src/cluster/seen.js'
import { inspect } from '../../src/operations/doctor.js'
import { findLoad } from '../../src/operations/status/host-load.js'
import { look } from '../../src/operations/status/look.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

const signal = AbortSignal.timeout(600_000)

/** What a doctor costs, compared with status; and how it grows. */
export default {
  name: 'doctor',
  run: async () => {
    const small = await costs(3)
    const [some, many] = [await costs(47), await costs(97)]
    const perMachine = (many.doctor - some.doctor) / 50
    return [
      { name: 'doctor of 3 + 3 machines', value: small.doctor, limit: 4 * small.status, unit: 'calls' },
      { name: 'doctor of 3 + 3 machines', value: small.took, limit: 10_000, unit: 'ms' },
      {
        name: 'each further machine of a doctor',
        value: Math.round(perMachine * 10) / 10,
        limit: Math.ceil(((some.doctor - small.doctor) / 44) * 1.1),
        unit: 'calls',
      },
    ]
  },
}

async function costs(workers: number): Promise<{ status: number; doctor: number; took: number }> {
  const topology = aTopology({ hosts: Math.max(3, Math.ceil(workers / 4)) })
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers, extra: 'secrets: plain\n' }) }
  const stage = await aStage({ speed: 200, topology, files })
  try {
    await stage.up({ signal })
    const { world } = await stage.connect()
    const inventory = await stage.inventory()
    const session = { inventory, world, env: {} }
    const beside = Promise.resolve({ expiries: [], backup: seen({}) })
    const status = await counted(stage, () => Promise.all([look(session, beside, signal), findLoad(world, signal)]))
    const doctor = await counted(stage, () => inspect(session, beside, signal))
    return { status: status.calls, doctor: doctor.calls, took: doctor.took }
  } finally {
    await stage.close()
  }
}

async function counted(stage: Stage, work: () => Promise<unknown>): Promise<{ calls: number; took: number }> {
  const { faults, proxmox } = stage.lab
  const before = proxmox.requests().length
  // A fault that does no harm counts the calls that it meets.
  for (const surface of ['talos', 'kubernetes'] as const)
    faults.add({ match: { surface }, action: { kind: 'delay', modelMs: 0 }, times: Number.POSITIVE_INFINITY })
  const start = performance.now()
  await work()
  const took = Math.round(performance.now() - start)
  const calls = faults.list().reduce((sum, { hits }) => sum + hits, 0) + proxmox.requests().length - before
  faults.clear()
  return { calls, took }
}
