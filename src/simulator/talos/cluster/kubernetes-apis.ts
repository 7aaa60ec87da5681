import type { KubernetesStore } from '../../kubernetes/seam.js'
import type { TalosMachine } from '../machine/machine.js'

export interface ServedApi {
  readonly machine: TalosMachine
  readonly store: KubernetesStore
  /** Lab addresses that serve it now, including the VIP if this machine holds it. */
  readonly addresses: ReadonlySet<string>
}

/** The control planes that serve the Kubernetes API of each cluster, identified by its Kubernetes CA. */
export class KubernetesApis {
  readonly #served = new Map<string, Set<ServedApi>>()

  open(authority: string, api: ServedApi): () => void {
    const apis = this.#served.get(authority) ?? new Set()
    apis.add(api)
    this.#served.set(authority, apis)
    return () => apis.delete(api)
  }

  /** Those whose certificate one of these CAs has signed. */
  trustedBy(authorities: readonly string[]): ServedApi[] {
    const served = authorities.flatMap((authority) => [...(this.#served.get(authority) ?? [])])
    return served.filter(({ machine }) => !machine.isHung)
  }
}
