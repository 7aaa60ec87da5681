import { getEventListeners } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seen } from '../../src/cluster/seen.js'
import { loadInventory } from '../../src/inventory/index.js'
import type { WatchAccess } from '../../src/operations/watch/watch-environment.js'
import { watchEnvironment } from '../../src/operations/watch/watch-environment.js'
import { readOnly } from '../../src/read-only.js'
import { clusterYaml } from '../support/lab.js'
import { livingEntries } from '../support/living-entries.js'
import { heapInUse, openHandles } from '../support/open-handles.js'
import { oneIn } from '../support/sample.js'
import { inWorkshop, succeeds } from '../support/workshop.js'

const everyMs = 600_000
const days = 30
const passes = (days * 86_400_000) / everyMs / oneIn(72)
const yaml = clusterYaml({ controlPlanes: 1, workers: 0, extra: 'secrets: plain\n' })

test('a process that looks as often as a watch of thirty days keeps its heap, handles and listeners, whatever it sees', () =>
  inWorkshop({ yaml }, async ({ desk, lab, ichor, inWorld }) => {
    await succeeds(ichor('up', '--lab', '--yes'))
    const { signal } = new AbortController()
    const start = Date.now()
    let pass = 0
    const now = () => start + pass * everyMs
    const access: WatchAccess = {
      env: {},
      isLab: true,
      clock: { now, sleep: async () => undefined },
      load: (file) => loadInventory(file, { env: {} }),
      // A pass has connections of its own, as those of the command have.
      withSession: (inventory, work) =>
        inWorld((world) => {
          const quiet = {
            env: {},
            notify: () => {},
            onNotice: () => {},
            keepBinding: async () => {},
            close: async () => {},
          }
          return work({ ...quiet, inventory, world: readOnly(world) })
        }),
      beside: async () => ({ expiries: [], backup: seen({}) }),
    }
    const environment = watchEnvironment(join(desk.folder, 'cluster.yaml'), access)
    const look = async (count: number) => {
      for (const end = pass + count; pass < end; pass++) {
        if (pass % 40 === 20) await lab.fault('close-api', { machine: 'dev-cp-1' })
        if (pass % 40 === 22) await lab.fault('open-api', { machine: 'dev-cp-1' })
        await environment.pass(signal)
      }
    }
    await look(40)
    const before = { heap: heapInUse(), entries: livingEntries(), open: openHandles() }
    await look(passes)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    for (const [kind, count] of Object.entries(openHandles()))
      expect(count, kind).toBeLessThanOrEqual((before.open[kind] ?? 0) + 4)
    expect(livingEntries()).toBeLessThan(before.entries + passes / 4)
    // Less than a kilobyte a pass, and what varies anyway.
    expect(heapInUse()).toBeLessThan(before.heap + 4 + passes / 1024)
  }))
