import type { NodeInfo } from '../kubernetes/port.js'
import type { WorkContext } from '../work/work-context.js'
import { kubernetesApi } from './kubernetes-api.js'
import { nodeOfMachine } from './kubernetes-node.js'

interface Looks {
  /** Start time of the last query. */
  last: number
  /** The query that is pending or running. */
  next: Promise<readonly NodeInfo[]> | undefined
}

const everyMs = 1000
const ofRound = new WeakMap<WorkContext['observed'], Looks>()

/** Like `findNode`, for waiting: all waits of a round share one query of the nodes per second. */
export async function awaitedNode(machine: string, context: WorkContext): Promise<NodeInfo | undefined> {
  return nodeOfMachine(machine, await nextLook(context), context)
}

function nextLook(context: WorkContext): Promise<readonly NodeInfo[]> {
  const looks = ofRound.get(context.observed) ?? { last: Number.NEGATIVE_INFINITY, next: undefined }
  ofRound.set(context.observed, looks)
  looks.next ??= look(looks, context).finally(() => {
    looks.next = undefined
  })
  return looks.next
}

async function look(looks: Looks, context: WorkContext): Promise<readonly NodeInfo[]> {
  const { clock } = context
  const due = looks.last + everyMs - clock.monotonic()
  if (due > 0) await clock.sleep(due, context.signal)
  looks.last = clock.monotonic()
  return (await kubernetesApi(context)).nodes(context.signal)
}
