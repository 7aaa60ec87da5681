import type { Status } from '../operations/status/status.js'
import { ageText } from './duration.js'

/** The overall state in one word, and the problems, each with its fix. */
export interface Verdict {
  readonly word: 'HEALTHY' | 'DEGRADED' | 'DOWN' | 'SHUT DOWN' | 'NOT CREATED' | 'UNKNOWN'
  readonly isGood: boolean
  readonly problems: readonly { readonly text: string; readonly fix: string }[]
}

export function verdictOf(status: Status): Verdict {
  if (status.shut_down !== null) return shutDownVerdict(status, status.shut_down)
  const law = lostEtcd(status)
  const problems = [
    ...law,
    ...refusal(status),
    ...offlineHosts(status),
    ...machineProblems(status, law.length > 0),
    ...nodeProblems(status),
    ...(law.length > 0 ? [] : etcdProblems(status)),
    ...unreadableSecrets(status),
    ...addonProblems(status),
    ...certificateProblems(status),
  ]
  if (status.machines.every(({ state }) => state === 'absent') && status.etcd.members === 0) {
    const fix = law[0]?.fix ?? wayToCreate(status.backup)
    return { word: 'NOT CREATED', isGood: false, problems: [{ text: 'No machine of this cluster exists.', fix }] }
  }
  // The owner of the VMs cannot be proven, so their guests were not contacted.
  if (status.machines.every(({ state }) => state === 'unverified' || state === 'absent'))
    return { word: 'UNKNOWN', isGood: false, problems }
  const isDown = status.etcd.members === 0 || !status.machines.some(({ ready }) => ready)
  return { word: status.healthy ? 'HEALTHY' : isDown ? 'DOWN' : 'DEGRADED', isGood: status.healthy, problems }
}

/** Everything else that does not work follows from it. */
function shutDownVerdict(status: Status, since: string): Verdict {
  const text = `ichor shutdown turned it off on ${since.slice(0, 16).replace('T', ' at ')} UTC.`
  const problems = [{ text, fix: 'ichor up' }, ...refusal(status), ...certificateProblems(status)]
  return { word: 'SHUT DOWN', isGood: false, problems }
}

const mayReturn = new Set(['stopped', 'silent', 'host down', 'internal-error', 'guest-panicked', 'io-error', 'paused'])

/** Without etcd nothing else can be mended, and what else is wrong follows from it. */
function lostEtcd({ etcd, backup, machines, refusal: refused }: Status): Verdict['problems'] {
  if (etcd.lost === undefined) return []
  const { members, healthy_members: healthy } = etcd
  const text =
    etcd.lost === 'data'
      ? 'etcd is gone: no machine has its data.'
      : `etcd has lost its majority${members === 0 ? '' : `: ${healthy} of ${members} members are healthy`}.`
  const isComing = machines.some(({ role, state }) => role === 'controlplane' && mayReturn.has(state))
  const first = isComing && refused === null ? 'ichor up brings back what only has to start; if that is lost: ' : ''
  return [{ text, fix: `${first}${wayBack(backup)}` }]
}

/** Snapshots outlive their cluster, and also its secrets on this computer. */
function wayToCreate(backup: Status['backup']): string {
  const created = 'ichor up creates it'
  return typeof backup?.name === 'string' ? `${wayBack(backup)}; or ${created}, with an EMPTY etcd` : created
}

function wayBack(backup: Status['backup']): string {
  if (backup === null) return 'ichor restore NAME, from a store of snapshots that can be read'
  const { name, age_s: age } = backup ?? {}
  if (typeof name !== 'string' || typeof age !== 'number')
    return 'there is no snapshot: ichor up --new-etcd starts over with an EMPTY etcd'
  return `ichor restore ${name} (the newest snapshot, ${ageText(age)} old)`
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

function machineProblems({ machines, hosts, refusal: refused }: Status, isEtcdLost: boolean): Verdict['problems'] {
  const offline = new Set(hosts.filter(({ online }) => !online).map(({ name }) => name))
  return machines
    .filter(({ ready, host }) => !ready && !offline.has(host ?? ''))
    .filter(({ state }) => refused === null || state !== 'unverified')
    .filter(({ state, problem }) => !isEtcdLost || state in states || problem !== undefined)
    .map(({ name, state, problem }) => {
      if (problem !== undefined) return { text: `${name}: ${problem.text}`, fix: problem.fix ?? '' }
      const known = states[state] ?? { text: `it is ${state}, and not Ready in Kubernetes.`, fix: `ichor logs ${name}` }
      return { text: `${name}: ${known.text}`, fix: known.fix }
    })
}

/** A machine that is ready and has a problem of its own. */
function nodeProblems({ machines }: Status): Verdict['problems'] {
  return machines.flatMap(({ name, problems }) => problems.map(({ text, fix }) => ({ text: `${name}: ${text}.`, fix })))
}

function etcdProblems({ etcd, machines, backup }: Status): Verdict['problems'] {
  if (etcd.healthy) return []
  if (machines.every(({ ready }) => !ready)) return etcd.members === 0 ? wayBackFromSilence(backup) : []
  const { members, healthy_members: healthy, unhealthy = [] } = etcd
  const named = new Set(machines.filter(({ problem }) => problem !== undefined).map(({ name }) => name))
  if (unhealthy.length > 0 && unhealthy.every((name) => named.has(name))) return []
  const who = unhealthy.length === 0 ? '' : `, not ${unhealthy.join(', ')}`
  const text = members === 0 ? 'etcd does not answer.' : `etcd: ${healthy} of ${members} members are healthy${who}.`
  return [{ text, fix: 'ichor up' }]
}

function unreadableSecrets({ unreadable_secrets: unreadable }: Status): Verdict['problems'] {
  return unreadable.map(({ machine, why }) => ({
    text: `${machine}: its API server cannot read the Secrets in etcd. ${why}`,
    fix: 'put the newest secrets back (git pull), then ichor up',
  }))
}

/** Whether it only has to start, or is lost, does not show from here. */
function wayBackFromSilence(backup: Status['backup']): Verdict['problems'] {
  if (typeof backup?.name !== 'string') return []
  return [{ text: 'etcd does not answer.', fix: `ichor up; if its control planes are lost: ${wayBack(backup)}` }]
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
