import type { Seen } from '../cluster/seen.js'

/** Times are in milliseconds since 1970, by the clock of the cluster. */
export interface ExaminedKubernetes {
  /** What its control planes call now. */
  readonly now: number
  /** Requests without a decision. */
  readonly requests: Seen<readonly PendingRequest[]>
  /** Budgets that cover pods. */
  readonly budgets: Seen<readonly Budget[]>
  readonly webhooks: Seen<readonly Webhook[]>
  readonly attachments: Seen<readonly Attachment[]>
  readonly volumes: Seen<readonly CsiVolume[]>
  readonly drivers: Seen<readonly NodeDriver[]>
  readonly daemonSets: Seen<readonly Workload[]>
  /** Deployments in `kube-system`. */
  readonly deployments: Seen<readonly Workload[]>
  /** Ready pods of the control plane by component: `kube-apiserver`. */
  readonly components: Seen<Readonly<Record<string, number>>>
  /** The settings of Cilium; `undefined` without Cilium. */
  readonly cilium: Seen<Readonly<Record<string, string>> | undefined>
  /** Jobs that install or remove an addon for us. */
  readonly addonJobs: Seen<readonly AddonJob[]>
}

export interface ObjectName {
  readonly namespace: string
  readonly name: string
}

/** The pods that it wants, and those that are ready. */
export interface Workload extends ObjectName {
  readonly wanted: number
  readonly ready: number
}

export interface PendingRequest {
  readonly name: string
  /** `system:node:dev-wk-1`. */
  readonly requester: string
  readonly signer: string
  readonly since: number
}

export interface Budget extends ObjectName {
  readonly expected: number
  readonly healthy: number
  readonly allowed: number
  /** When it last changed between allowing a disruption and not. */
  readonly since?: number
}

export interface Webhook {
  /** Of its configuration. */
  readonly name: string
  readonly service: ObjectName
  /** What cannot be asked is refused. */
  readonly isRequired: boolean
  readonly hasBackend: boolean
}

export interface Attachment {
  readonly name: string
  readonly node: string
  readonly driver: string
  /** Its PersistentVolume. */
  readonly volume: string
  readonly isAttached: boolean
  readonly since: number
  readonly error?: string
}

export interface CsiVolume {
  readonly name: string
  readonly driver: string
  /** What the driver calls it. */
  readonly handle: string
}

/** A CSI driver on a node, and how many volumes it attaches there. */
export interface NodeDriver {
  readonly node: string
  readonly driver: string
  readonly limit?: number
}

export interface AddonJob extends ObjectName {
  readonly addon: string
  /** The release of helm that it works on. */
  readonly release?: ObjectName
}
