import type { KubernetesStore } from '../../kubernetes/seam.js'
import type { TalosMachine } from '../machine/machine.js'

export interface ServedApi {
  readonly machine: TalosMachine
  readonly store: KubernetesStore
  /** Lab addresses on which it answers now, the VIP included where this machine holds it. */
  readonly addresses: ReadonlySet<string>
}

/** Which control planes serve the Kubernetes API of which cluster; a cluster is known by its Kubernetes CA. */
export class KubernetesApis {
  readonly #served = new Map<string, Set<ServedApi>>()

  open(authority: string, api: ServedApi): () => void {
    const apis = this.#served.get(authority) ?? new Set()
    apis.add(api)
    this.#served.set(authority, apis)
    return () => apis.delete(api)
  }

  /** Those whose certificate one of these authorities has signed. */
  trustedBy(authorities: readonly string[]): ServedApi[] {
    const served = authorities.flatMap((authority) => [...(this.#served.get(authority) ?? [])])
    return served.filter(({ machine }) => !machine.isHung)
  }
}
