import type { FindingDefinition } from '../findings/define-finding.js'
import { etcdSamples } from './etcd-samples.js'
import type { Sample } from './families.js'
import { findingSamples } from './finding-samples.js'
import { hostSamples } from './host-samples.js'
import { machineSamples } from './machine-samples.js'
import type { Measurement, Sighting } from './measurement.js'

/** All samples of the clusters. What was not seen is left out, and never shown as zero. */
export function samplesOf(
  measurements: readonly Measurement[],
  { version, definitions }: { readonly version: string; readonly definitions: readonly FindingDefinition[] },
): Sample[] {
  const build: Sample = { name: 'build_info', labels: { version }, value: 1 }
  return [build, ...measurements.flatMap((measurement) => samplesOfCluster(measurement, definitions))]
}

function samplesOfCluster(measurement: Measurement, definitions: readonly FindingDefinition[]): Sample[] {
  const { cluster, seen } = measurement
  if (seen === undefined)
    return [{ name: 'source_up', labels: { cluster, source: 'proxmox' }, value: 0 }, ...pastSamples(measurement)]
  return [
    { name: 'pass_last_success_timestamp_seconds', labels: { cluster }, value: seen.facts.now / 1000 },
    ...sourceSamples(cluster, seen),
    ...findingSamples(cluster, seen.examination, definitions),
    ...planSamples(cluster, seen),
    ...pendingSamples(measurement),
    ...machineSamples(cluster, seen.facts),
    ...hostSamples(cluster, seen.facts),
    ...etcdSamples(cluster, seen.facts),
    ...expirySamples(cluster, seen),
    ...backupSamples(cluster, seen),
  ]
}

/** The last success stays, so that its age grows. */
function pastSamples({ cluster, lastSeenAt, ...measurement }: Measurement): Sample[] {
  const past: Sample[] =
    lastSeenAt === undefined
      ? []
      : [{ name: 'pass_last_success_timestamp_seconds', labels: { cluster }, value: lastSeenAt / 1000 }]
  return [...past, ...pendingSamples({ cluster, ...measurement })]
}

function pendingSamples({ cluster, pendingSince }: Measurement): Sample[] {
  if (pendingSince === undefined) return []
  return [{ name: 'plan_pending_since_timestamp_seconds', labels: { cluster }, value: pendingSince / 1000 }]
}

function sourceSamples(cluster: string, { facts: { observed, backup } }: Sighting): Sample[] {
  const running = observed.machines.filter(({ talos }) => talos.reach !== 'off')
  const sources = {
    proxmox: observed.proxmox.quorate !== false,
    talos: running.length === 0 || running.some(({ talos }) => talos.reach !== 'silent'),
    etcd: observed.etcd.seen,
    kubernetes: observed.kubernetes.seen,
    backup: backup.seen,
  }
  return Object.entries(sources).map(([source, isUp]) => ({
    name: 'source_up',
    labels: { cluster, source },
    value: Number(isUp),
  }))
}

function planSamples(cluster: string, { plan }: Sighting): Sample[] {
  const refused: Sample = { name: 'plan_refused', labels: { cluster }, value: Number(plan === undefined) }
  if (plan === undefined) return [refused]
  const changing = plan.steps.filter(({ changes }) => changes)
  const counts = [true, false].map((isDisruptive): Sample => {
    const value = changing.filter(({ disruptive }) => disruptive === isDisruptive).length
    return { name: 'plan_steps', labels: { cluster, disruptive: String(isDisruptive) }, value }
  })
  return [refused, ...counts]
}

function expirySamples(cluster: string, { facts: { expiries, examined } }: Sighting): Sample[] {
  const own = expiries.map(({ name, expires }) => ({ name, expires: Date.parse(expires) }))
  const ofHosts = (examined?.hosts ?? []).flatMap(({ name: host, certificates }) =>
    certificates.seen ? certificates.value.map(({ name, expires }) => ({ name: `${host} ${name}`, expires })) : [],
  )
  return [...own, ...ofHosts].map(({ name, expires }) => ({
    name: 'certificate_expiry_timestamp_seconds',
    labels: { cluster, name },
    value: expires / 1000,
  }))
}

function backupSamples(cluster: string, { facts: { backup } }: Sighting): Sample[] {
  if (!backup.seen) return []
  const { newest, drilledAt = 0 } = backup.value
  const times = { snapshot: newest?.takenAt ?? 0, drill: drilledAt }
  return Object.entries(times).map(([kind, at]) => ({
    name: 'backup_last_success_timestamp_seconds',
    labels: { cluster, kind },
    value: at / 1000,
  }))
}
