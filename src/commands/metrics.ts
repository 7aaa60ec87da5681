import { resolve } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { UserFacingError } from '../errors.js'
import type { Measurement } from '../metrics/measurement.js'
import type { Session } from '../operations/session.js'
import { errorText } from '../report/error.js'
import { textStyle } from '../report/text-style.js'
import { cannotWrite } from './cannot-write.js'
import { factsBeside } from './facts-beside.js'
import { withoutOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { withWorld } from './open-world.js'
import { inventoryArg, labArg } from './shared-args.js'

/** A cluster could not be looked at. */
const unseenCode = 1

export default defineCommand({
  description:
    'Looks at the clusters once and prints what it sees as metrics for Prometheus. --out writes a file for the textfile collector of node_exporter, whole or not at all. Changes nothing. Exits with 1 if a cluster could not be looked at, which its metrics then show.',
  examples: ['ichor metrics', 'ichor metrics -i inventory --out /var/lib/node_exporter/ichor.prom'],
  args: {
    ...inventoryArg,
    ...labArg,
    out: {
      type: 'text',
      placeholder: 'FILE',
      help: 'write to this file; its name must end in .prom for node_exporter',
    },
  },
  async run({ inventory, lab, out }, context) {
    const { exposition } = await import('../metrics/exposition.js')
    const { samplesOf } = await import('../metrics/samples.js')
    const { findingDefinitions } = await import('../findings/index.js')
    const { ownVersion } = await import('../own-version.js')
    const measurements: Measurement[] = []
    for (const one of await loadNamed(inventory, context)) {
      const cluster = one.settings.cluster_name
      const seen = await withWorld(one, { lab, mayStartLab: false }, context, (opened) =>
        measured(opened, context),
      ).catch((thrown: unknown) => reported(thrown, cluster, context))
      measurements.push(seen)
    }
    const text = await exposition(samplesOf(measurements, { version: ownVersion(), definitions: findingDefinitions }))
    if (out === undefined) context.stdout.write(text)
    else {
      const path = resolve(context.cwd, out)
      await writeDurably(path, text, { mode: 0o644 }).catch(cannotWrite(path))
    }
    return measurements.every(({ seen }) => seen !== undefined) ? 0 : unseenCode
  },
})

async function measured(opened: Session, context: Context): Promise<Measurement> {
  const { measure } = await import('../operations/measure.js')
  const world = await withoutOtherLab(opened.lab, opened)
  const session = { ...opened, world }
  return measure(session, factsBeside(session, context), context.signal)
}

/** A cluster that cannot be looked at hides nothing of the others. */
function reported(thrown: unknown, cluster: string, { signal, stderr, env }: Context): Measurement {
  signal.throwIfAborted()
  if (!(thrown instanceof UserFacingError)) throw thrown
  stderr.write(errorText(thrown, textStyle(stderr, env)))
  return { cluster }
}
