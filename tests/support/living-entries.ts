import { Session } from 'node:inspector'

/** How many entries all maps and sets of this process hold that are still in use. */
export function livingEntries(): number {
  const session = new Session()
  session.connect()
  try {
    return ['Map', 'Set'].reduce((sum, kind) => sum + entriesOf(session, kind), 0)
  } finally {
    session.disconnect()
  }
}

/** The prototypes of derived classes are among what is found, and have no size. */
const sizeOf = 'function (one) { try { return Number(one.size) || 0 } catch { return 0 } }'

function entriesOf(session: Session, kind: string): number {
  const prototype = call(session, 'Runtime.evaluate', { expression: `${kind}.prototype` }).result
  const { objects } = call(session, 'Runtime.queryObjects', { prototypeObjectId: prototype.objectId })
  const functionDeclaration = `function () { return this.reduce((sum, one) => sum + (${sizeOf})(one), 0) }`
  const counted = call(session, 'Runtime.callFunctionOn', { objectId: objects.objectId, functionDeclaration })
  return Number(counted.result.value)
}

interface Answer {
  readonly result: { readonly objectId?: string; readonly value?: unknown }
  readonly objects: { readonly objectId?: string }
}

/** A session to one's own thread answers before `post` returns. */
function call(session: Session, method: string, params: object): Answer {
  let answer: Answer | undefined
  session.post(method, params, (error, result) => {
    if (error !== null) throw new Error(error.message)
    answer = result as Answer
  })
  if (answer === undefined) throw new Error(`${method} was not answered`)
  return answer
}
