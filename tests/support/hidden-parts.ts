import { unseen } from '../../src/cluster/seen.js'
import type { Examined } from '../../src/examine/examined.js'
import { checksOf } from '../../src/findings/checks.js'
import type { Facts } from '../../src/findings/facts.js'
import { findFindings } from '../../src/findings/find-findings.js'
import { findingDefinitions } from '../../src/findings/index.js'
import { type Change, examining, hosts, observing, ofProxmox } from './facts.js'

const why = 'timed out'
const withoutTalos: Change = (facts) =>
  examining(() => ({ machines: [] }))(
    observing((observed) => ({
      ...observed,
      machines: observed.machines.map((machine) => ({ ...machine, talos: { reach: 'silent', reason: why } })),
    }))(facts),
  )
const withoutEtcd: Change = ({ alarms, ...facts }) => {
  const hidden = observing((observed) => ({ ...observed, etcd: unseen(why) }))(facts)
  return examining(({ machines }) => ({
    machines: machines.map(({ controlPlane, ...machine }) =>
      controlPlane === undefined ? machine : { ...machine, controlPlane: { ...controlPlane, etcd: unseen(why) } },
    ),
  }))(hidden)
}
const withoutKubernetes: Change = (facts) => {
  const hidden = observing((observed) => ({
    ...observed,
    kubernetes: unseen(why),
    machines: observed.machines.map(({ node: _, ...machine }) => machine),
  }))(facts)
  const { kubernetes: _, ...examined } = hidden.examined ?? {}
  return { ...hidden, unreadable: [], ...(hidden.examined === undefined ? {} : { examined: examined as Examined }) }
}

/** With every part that can be unseen unseen. */
function allUnseen<T>(value: T): T {
  if (Array.isArray(value)) return value.map(allUnseen) as T
  if (typeof value !== 'object' || value === null) return value
  if ('seen' in value) return unseen(why) as T
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, allUnseen(part)])) as T
}

/** A part of the world that is hidden, as an examination then sees the rest. */
export const hiddenParts: Readonly<Record<string, Change>> = {
  'the VMs of every host': (facts) =>
    ofProxmox(() => ({ unreadHosts: hosts.map((host) => ({ host, why })) }))(
      examining(() => ({ machines: [], agents: [], hosts: [] }))(
        observing((observed) => ({ ...observed, machines: [] }))(facts),
      ),
    ),
  Talos: (facts) => withoutKubernetes(withoutEtcd(withoutTalos(facts))),
  etcd: (facts) => withoutEtcd(facts),
  Kubernetes: (facts) => withoutKubernetes(facts),
  'backup jobs': ofProxmox(() => ({ backupJobs: unseen(why) })),
  'the resources of HA': ofProxmox(() => ({ ha: unseen(why) })),
  'the firewall of Proxmox': ofProxmox(() => ({ firewall: unseen(why) })),
  'the storages': ofProxmox(({ contents }) => ({ contents: contents.map(allUnseen) })),
  'the store of snapshots': (facts) => ({ ...facts, backup: unseen(why) }),
  'the configs of nodes': observing((observed) => ({
    ...observed,
    machines: observed.machines.map((machine) =>
      machine.talos.reach === 'secured' ? { ...machine, talos: allUnseen(machine.talos) } : machine,
    ),
  })),
  'whatever a doctor asks': ({ alarms, examined, ...facts }) => ({
    ...facts,
    ...(alarms === undefined ? {} : { alarms: unseen(why) }),
    ...(examined === undefined ? {} : { examined: allUnseen(examined) }),
  }),
}

/** By hidden part, the codes that are no more found, although nothing says that they are unknown. */
export function partsCalledWell(facts: Facts): Record<string, string[]> {
  const { findings } = findFindings(findingDefinitions, facts)
  const codes = [...new Set(findings.map(({ code }) => code))]
  const parts = Object.entries(hiddenParts).map(([part, hide]) => [part, calledWell(codes, hide(facts))] as const)
  return Object.fromEntries(parts.filter(([, well]) => well.length > 0))
}

function calledWell(codes: readonly string[], hidden: Facts): string[] {
  const { findings, unknown } = findFindings(findingDefinitions, hidden)
  const left = new Set(findings.map(({ code }) => code))
  const checks = checksOf(findingDefinitions, hidden, { findings, unknown })
  return checks.flatMap(({ code, result }) =>
    'ok' in result && result.ok && codes.includes(code) && !left.has(code as never) ? [code] : [],
  )
}
