import type { FieldChange } from './diff.js'

/** What changes in a config, one sentence a subject, for people who do not know Talos's fields. */
export function changeSentences(changes: readonly FieldChange[]): string[] {
  const named = subjects.flatMap((subject) => {
    const own = changes.filter((change) => subjectOf(change) === subject)
    return own.length === 0 ? [] : [subject.say(own)]
  })
  const others = changes.filter((change) => subjectOf(change) === undefined)
  return [...named, ...grouped(others)]
}

interface Subject {
  readonly fields: RegExp
  say(changes: readonly FieldChange[]): string
}

const subjects: readonly Subject[] = [
  {
    fields: /^(v1alpha1 cluster\.controlPlane\.endpoint|KubeClusterConfig endpoint)$/,
    say: (changes) =>
      `API moves ${arrow(valuesOf(changes, 'before').map(bareAddress), valuesOf(changes, 'after').map(bareAddress))}: kubeconfigs with the old address stop working`,
  },
  {
    fields: /^Layer2VIPConfig /,
    say: (changes) => `shared address of the API ${documentNames(changes)}`,
  },
  {
    fields: /^v1alpha1 machine\.network\.interfaces\[.*\bvip\b/,
    say: (changes) => withValues('shared address of the API', changes),
  },
  {
    fields: /^v1alpha1 (machine|cluster\.apiServer)\.certSANs\b/,
    say: (changes) => withValues('names in the certificates of its APIs', changes),
  },
  {
    fields: /^v1alpha1 cluster\.(network\.cni|proxy)\b/,
    say: (changes) => withValues('pod network (CNI and kube-proxy)', changes),
  },
  {
    fields: /^v1alpha1 machine\.(nodeLabels|nodeTaints|nodeAnnotations)\b/,
    say: (changes) => withValues('labels and taints of its node', changes),
  },
  {
    fields: /^(v1alpha1 machine\.time\b|TimeSyncConfig)/,
    say: (changes) => withValues('time servers', changes),
  },
  {
    fields: /^(v1alpha1 machine\.network\.nameservers\b|ResolverConfig)/,
    say: (changes) => withValues('DNS servers', changes),
  },
  {
    fields: /^(v1alpha1 machine\.registries\b|Registry\w*Config)/,
    say: (changes) => withValues('registries', changes),
  },
  {
    fields: /^v1alpha1 machine\.sysctls\b/,
    say: (changes) => withKeys('kernel settings (sysctl)', 'machine.sysctls.', changes),
  },
  {
    fields: /^v1alpha1 machine\.kubelet\b/,
    say: (changes) => withValues('kubelet', changes),
  },
  {
    fields: /^v1alpha1 cluster\.(apiServer|controllerManager|scheduler)\b/,
    say: (changes) => withValues('Kubernetes control plane', changes),
  },
  {
    fields: /^v1alpha1 cluster\.etcd\b/,
    say: (changes) => withValues('etcd', changes),
  },
  {
    fields: /^v1alpha1 cluster\.allowSchedulingOnControlPlanes$/,
    say: (changes) => withValues('workloads on control planes', changes),
  },
  {
    fields: /^Network(Rule|DefaultAction)Config/,
    say: (changes) => `firewall of the node: ${counted(new Set(changes.map(({ document }) => document)).size, 'rule')}`,
  },
  {
    fields:
      /^(v1alpha1 (machine\.(ca|acceptedCAs|token)|cluster\.(id|secret|token|ca|acceptedCAs|aggregatorCA|serviceAccount|\w+EncryptionSecret))\b|Kube\w*CAConfig|KubeServiceAccountConfig|KubeEtcdEncryptionConfig)/,
    say: () => 'new keys and certificates of the cluster',
  },
]

function subjectOf({ document, path }: FieldChange): Subject | undefined {
  return subjects.find(({ fields }) => fields.test(`${document} ${path}`))
}

/** `https://10.0.10.5:6443` is known by its address. */
function bareAddress(value: string): string {
  return value.replace(/^https:\/\//, '').replace(/:6443$/, '')
}

/** More would hide the other rows; `--steps` names every field. */
const maxValues = 3
const maxLength = 40

function withValues(what: string, changes: readonly FieldChange[]): string {
  const [from, to] = [valuesOf(changes, 'before'), valuesOf(changes, 'after')]
  const all = [...from, ...to]
  if (from.length <= maxValues && to.length <= maxValues && all.every(isShort)) return `${what} ${arrow(from, to)}`
  return `${what}: ${counted(changes.length, 'field')}`
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} changes` : `${count} ${what}s change`
}

/** `kernel settings (sysctl) vm.max_map_count + 262144`: the value alone would not say what it is of. */
function withKeys(what: string, prefix: string, changes: readonly FieldChange[]): string {
  const parts = changes.map((change) => {
    const key = change.path.startsWith(prefix) ? change.path.slice(prefix.length) : ''
    return `${key} ${arrow(valuesOf([change], 'before'), valuesOf([change], 'after'))}`.trim()
  })
  const values = [...valuesOf(changes, 'before'), ...valuesOf(changes, 'after')]
  const isShown = parts.length <= maxValues && values.every(isShort)
  return isShown ? `${what} ${parts.join(', ')}` : withValues(what, changes)
}

/** A value that is in several fields is one value for people. */
function valuesOf(changes: readonly FieldChange[], side: 'before' | 'after'): string[] {
  const values = changes.flatMap((change) => change[side] ?? [])
  return [...new Set(values.map((value) => value.replace(/^"(.*)"$/s, '$1')))]
}

function isShort(value: string): boolean {
  return value.length <= maxLength && !value.includes('\n')
}

function arrow(from: readonly string[], to: readonly string[]): string {
  if (from.length === 0) return `+ ${to.join(', ')}`
  return to.length === 0 ? `- ${from.join(', ')}` : `${from.join(', ')} -> ${to.join(', ')}`
}

/** `Layer2VIPConfig 10.0.10.5` is named by its address. */
function documentNames(changes: readonly FieldChange[]): string {
  const named = (side: 'before' | 'after') => [
    ...new Set(changes.filter((change) => change[side] !== undefined).map(({ document }) => document)),
  ]
  const names = (side: 'before' | 'after') => named(side).map((document) => document.replace(/^\S+ ?/, ''))
  return arrow(names('before'), names('after'))
}

/** What no subject covers, by document or by the second name of its path, as words: `system disk encryption`. */
function grouped(changes: readonly FieldChange[]): string[] {
  const groups = new Map<string, FieldChange[]>()
  for (const change of changes) {
    const place = change.path.replace(/\[.*/, '').split('.')
    const name = inWords(change.document === 'v1alpha1' ? (place[1] ?? place[0] ?? '') : change.document)
    groups.set(name, [...(groups.get(name) ?? []), change])
  }
  return [...groups].map(([name, own]) => withValues(`Talos setting ${name}:`, own).replace('::', ':'))
}

/** `LinkAliasConfig net0` is `link alias net0`. */
function inWords(name: string): string {
  const [kind = '', ...rest] = name.split(' ')
  const words = kind.replace(/Config$/, '').replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
  return [words.toLowerCase(), ...rest].join(' ')
}
