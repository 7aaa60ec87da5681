import type { Check } from './check.js'
import { membersToAgree, membersToBeControlPlanes, noAlarms } from './etcd-checks.js'
import { type ClusterFacts, controlPlanesOf } from './facts.js'
import {
  apiToServe,
  componentsToBeReady,
  coreDnsToBeReady,
  kubeProxyToBeReady,
  nodesToBeReady,
  nodesToBeSchedulable,
  nodesToReport,
  secretsToBeReadable,
  staticPodsToRun,
} from './kubernetes-checks.js'
import {
  apiToAnswer,
  bootToFinish,
  diskToSuffice,
  memoryToSuffice,
  nothingToComplain,
  serviceToBeHealthy,
} from './machine-checks.js'
import { volumesToBeReady } from './volume-checks.js'

/** All checks of a healthy cluster, in the order in which they become true. */
export function clusterChecks(facts: ClusterFacts): Check[] {
  const controlPlanes = controlPlanesOf(facts)
  return [
    ...facts.machines.map(apiToAnswer),
    // One member lists all of them, so this check waits first, and then each member is queried.
    membersToBeControlPlanes(facts),
    ...controlPlanes.map((machine) => serviceToBeHealthy(machine, 'etcd')),
    membersToAgree(facts),
    ...controlPlanes.map(noAlarms),
    ...facts.machines.map(memoryToSuffice),
    ...facts.machines.map(diskToSuffice),
    ...facts.machines.map(volumesToBeReady),
    ...facts.machines.map(nothingToComplain),
    ...facts.machines.map((machine) => serviceToBeHealthy(machine, 'kubelet')),
    ...facts.machines.map(bootToFinish),
    apiToServe(facts),
    nodesToReport(facts),
    ...controlPlanes.map(staticPodsToRun),
    componentsToBeReady(facts),
    ...controlPlanes.map(secretsToBeReadable),
    nodesToBeReady(facts),
    kubeProxyToBeReady(facts),
    coreDnsToBeReady(facts),
    nodesToBeSchedulable(facts),
  ]
}
