import type { Status } from '../status/status.js'

/** The overall state in one word, and the problems, each with its fix. */
export interface Verdict {
  readonly word: 'HEALTHY' | 'DEGRADED' | 'DOWN' | 'NOT CREATED' | 'UNKNOWN'
  readonly isGood: boolean
  readonly problems: readonly { readonly text: string; readonly fix: string }[]
}

export function verdictOf(status: Status): Verdict {
  const problems = [
    ...refusal(status),
    ...offlineHosts(status),
    ...machineProblems(status),
    ...etcdProblems(status),
    ...addonProblems(status),
    ...certificateProblems(status),
  ]
  if (status.machines.every(({ state }) => state === 'absent') && status.etcd.members === 0) {
    const fix = 'ichor up creates it'
    return { word: 'NOT CREATED', isGood: false, problems: [{ text: 'No machine of this cluster exists.', fix }] }
  }
  // The owner of the VMs cannot be proven, so their guests were not contacted.
  if (status.machines.every(({ state }) => state === 'unverified' || state === 'absent'))
    return { word: 'UNKNOWN', isGood: false, problems }
  const isDown = status.etcd.members === 0 || !status.machines.some(({ ready }) => ready)
  return { word: status.healthy ? 'HEALTHY' : isDown ? 'DOWN' : 'DEGRADED', isGood: status.healthy, problems }
}

function refusal({ refusal: refused }: Status): Verdict['problems'] {
  return refused === null ? [] : [{ text: `ichor up would refuse: ${refused.problem}`, fix: refused.fix }]
}

function offlineHosts({ hosts, machines }: Status): Verdict['problems'] {
  return hosts.flatMap(({ name, online }) => {
    const held = machines.filter(({ host }) => host === name).map((machine) => machine.name)
    if (online || held.length === 0) return []
    return [
      {
        text: `Host ${name} is offline; it holds ${held.join(', ')}.`,
        fix: `bring ${name} back, then ichor up; if it is lost: ichor replace --host ${name} --gone`,
      },
    ]
  })
}

const states: Readonly<Record<string, { text: string; fix: string }>> = {
  absent: { text: 'its VM does not exist.', fix: 'ichor up' },
  stopped: { text: 'its VM is stopped.', fix: 'ichor up' },
  silent: { text: 'its VM runs, and Talos does not answer.', fix: 'ichor up; then look at its console in Proxmox' },
  unverified: { text: 'its VM exists, but could not be verified.', fix: 'see the notes' },
  'internal-error': { text: 'QEMU has stopped its VM: internal-error.', fix: 'ichor up stops and starts it' },
  'guest-panicked': { text: 'the kernel in its VM has panicked.', fix: 'ichor up stops and starts it' },
  'io-error': {
    text: 'its VM waits for its disk: io-error.',
    fix: 'free space on its storage, then resume it in Proxmox',
  },
  paused: { text: 'its VM is paused.', fix: 'resume it in Proxmox' },
  maintenance: { text: 'it waits for its config.', fix: 'ichor up' },
}

function machineProblems({ machines, hosts, refusal: refused }: Status): Verdict['problems'] {
  const offline = new Set(hosts.filter(({ online }) => !online).map(({ name }) => name))
  return machines
    .filter(({ ready, host }) => !ready && !offline.has(host ?? ''))
    .filter(({ state }) => refused === null || state !== 'unverified')
    .map(({ name, state }) => {
      const known = states[state] ?? { text: `it is ${state}, and not Ready in Kubernetes.`, fix: `ichor logs ${name}` }
      return { text: `${name}: ${known.text}`, fix: known.fix }
    })
}

function etcdProblems({ etcd, machines }: Status): Verdict['problems'] {
  if (etcd.healthy || machines.every(({ ready }) => !ready)) return []
  const text =
    etcd.members === 0
      ? 'etcd does not answer.'
      : `etcd: ${etcd.healthy_members} of ${etcd.members} members are healthy.`
  return [{ text, fix: 'ichor up' }]
}

function addonProblems({ addons }: Status): Verdict['problems'] {
  return addons
    .filter(({ healthy }) => !healthy)
    .map(({ name, reason }) => ({ text: `addon ${name}: ${reason ?? 'not healthy'}.`, fix: 'ichor up' }))
}

const fixes: Readonly<Record<string, string>> = {
  'Talos CA': 'ichor secrets rotate talos-ca',
  'Kubernetes CA': 'ichor secrets rotate kubernetes-ca',
}

/** Those that expire soon, each with the command that renews it. */
export function certificateProblems({ certificates }: Pick<Status, 'certificates'>): Verdict['problems'] {
  return certificates
    .filter(({ expires_soon }) => expires_soon === true)
    .map(({ name, expires }) => ({
      text: `${name} expires on ${expires.slice(0, 10)}.`,
      fix: fixes[name] ?? fixByKind(name),
    }))
}

function fixByKind(name: string): string {
  if (name.startsWith('token ')) return 'ichor access --renew'
  return name.endsWith('CA') ? 'it cannot be rotated: plan another cluster' : 'ichor up writes a new one'
}
