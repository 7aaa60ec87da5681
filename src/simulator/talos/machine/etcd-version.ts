import type { TalosMachine } from './machine.js'

/** The etcd version of each minor version of Talos. */
const defaults: Readonly<Record<number, string>> = {
  8: '3.5.16',
  9: '3.5.17',
  10: '3.5.26',
  11: '3.6.5',
  12: '3.6.11',
  13: '3.6.12',
  14: '3.7.1',
}

/** `3.6.12`: the one in the config, otherwise that of this Talos version. */
export function etcdVersionOf({ facts, minor }: TalosMachine): string {
  const configured = /:v?(3\.\d+\.\d+)/.exec(facts?.etcdImage ?? '')?.[1]
  return configured ?? defaults[minor] ?? '3.7.1'
}
