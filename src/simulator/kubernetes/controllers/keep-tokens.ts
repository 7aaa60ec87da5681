import type { ClusterState } from '../cluster-state.js'
import { mapsAt, numberAt, type StoredObject, textAt } from '../object.js'
import type { Controller } from './controller.js'

/** The token of a running pod: the signing key and the time. */
interface PodToken {
  readonly keyId: string
  readonly at: number
}

const usualSeconds = 3607
const longestMs = 24 * 3_600_000
/** In model time; a token is valid for an hour. */
const lookEveryMs = 10_000

/**
 * Kubelets replace pod tokens before they expire. A pod whose token an API server refuses is recorded in the ledger.
 */
export function createTokenController(): Controller {
  const tokens = new Map<string, PodToken>()
  const refused = new Set<string>()
  let lookedAt = 0
  return ({ state, now }) => {
    if (now - lookedAt < lookEveryMs || state.issuers.size === 0) return
    lookedAt = now
    for (const pod of state.objects.list('pods').filter(holdsToken)) {
      const uid = pod.metadata.uid ?? ''
      const token = renewed(tokens.get(uid), pod, state, now)
      tokens.set(uid, token)
      const isRefused = [...state.issuers].some((issuer) => !issuer.accepts(token.keyId))
      if (isRefused && !refused.has(uid)) noteRefusal(state, pod)
      if (isRefused) refused.add(uid)
      else refused.delete(uid)
    }
  }
}

function renewed(token: PodToken | undefined, pod: StoredObject, { issuers }: ClusterState, now: number): PodToken {
  const [issuer] = issuers
  const isOld = token === undefined || now - token.at > Math.min(lifetimeMs(pod) * 0.8, longestMs)
  return isOld && issuer !== undefined ? { keyId: issuer.keyId, at: now } : (token ?? { keyId: '', at: now })
}

function lifetimeMs(pod: StoredObject): number {
  return (
    Math.max(
      ...projections(pod).map((one) => numberAt(one, 'serviceAccountToken', 'expirationSeconds') ?? usualSeconds),
    ) * 1000
  )
}

function holdsToken(pod: StoredObject): boolean {
  return textAt(pod, 'status', 'phase') === 'Running' && projections(pod).length > 0
}

function projections(pod: StoredObject) {
  const sources = mapsAt(pod, 'spec', 'volumes').flatMap((volume) => mapsAt(volume, 'projected', 'sources'))
  return sources.filter(({ serviceAccountToken }) => serviceAccountToken !== undefined)
}

function noteRefusal({ ledger, clock }: ClusterState, { metadata }: StoredObject): void {
  ledger.record({
    at: clock.now(),
    surface: 'kubernetes',
    event: 'pod.token-refused',
    subject: `${metadata.namespace}/${metadata.name}`,
    mutating: false,
  })
}
