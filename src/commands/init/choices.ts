import { sizeText } from '../../cluster/size-text.js'
import type { Choice } from './prompt.js'
import type { Site } from './survey.js'

export function hostChoices({ hosts }: Site): Choice[] {
  return hosts.map(({ name, cpus, memory }) => ({ value: name, about: `${cpus} threads, ${sizeText(memory)}` }))
}

export function bridgeChoices({ bridges }: Site): Choice[] {
  return bridges.map(({ name, cidr }) => ({ value: name, about: cidr ?? 'without an address' }))
}

export function storageChoices({ storages }: Site): Choice[] {
  return storages.map(({ name, free, hosts }) => ({
    value: name,
    about: `${sizeText(free)} free, on ${hosts} host${hosts === 1 ? '' : 's'}`,
  }))
}

/** etcd needs an odd number. */
export const controlPlaneChoices: readonly Choice[] = [
  { value: '1', about: 'the cluster is down while it is' },
  { value: '3', about: 'the loss of one is survived' },
  { value: '5', about: 'the loss of two is survived' },
]
