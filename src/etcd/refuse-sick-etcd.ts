import { endOf } from '../cluster/etcd-service.js'
import { UserFacingError } from '../errors.js'
import type { WorkContext } from '../work/work-context.js'

/** An etcd that ended may start the next time. */
const patienceMs = 120_000
const everyMs = 2000

class SickEtcd extends UserFacingError {
  readonly code = 'not-healthy'
  readonly exitCode = 1
}

interface Sick {
  readonly name: string
  readonly ended: string
}

interface ControlPlane {
  readonly name: string
  readonly address: string
}

/** An etcd that ends whenever it is started does not become healthy by waiting. */
export async function refuseSickEtcd(
  controlPlanes: readonly ControlPlane[],
  { talos, clock, signal, note }: Pick<WorkContext, 'talos' | 'clock' | 'signal' | 'note'>,
): Promise<void> {
  const findSick = async ({ name, address }: ControlPlane): Promise<Sick[]> => {
    const services = await talos.node({ machine: name, address }).services(signal)
    const ended = services.find(({ id }) => id === 'etcd')?.ended
    return ended === undefined ? [] : [{ name, ended }]
  }
  for (const started = clock.monotonic(); ; await clock.sleep(everyMs, signal)) {
    // A machine that does not respond is reported by the health checks.
    const answers = await Promise.all(controlPlanes.map((one) => findSick(one).catch(() => [])))
    signal.throwIfAborted()
    const sick = answers.flat()
    if (sick.length === 0) return
    if (clock.monotonic() - started > patienceMs) throw refusal(sick)
    note(`${problemOf(sick)}; waiting whether it starts`)
  }
}

function problemOf(sick: readonly Sick[]): string {
  return sick.map(({ name, ended }) => `${name}: its etcd does not start: ${endOf(ended)}`).join('; ')
}

function refusal(sick: readonly Sick[]): SickEtcd {
  const names = sick.map(({ name }) => name)
  return new SickEtcd(`${problemOf(sick)}.`, {
    where: `machine ${names.join(', ')}`,
    fix: `ichor replace ${names.join(' ')}`,
  })
}
