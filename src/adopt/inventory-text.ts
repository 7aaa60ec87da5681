import { stringify } from 'yaml'

type Fields = Readonly<Record<string, unknown>>

/** The comment above a section. */
const comments: Readonly<Record<string, string>> = {
  cluster_name: 'Of the machine configs.',
  talos_version: 'What runs.',
  unmanaged_nodes: 'Nodes that could not be taken over: ichor leaves them as they are.',
  endpoint_override: 'The endpoint that is in every config and kubeconfig.',
  proxmox: 'Where the VMs are. The pool is made, and gets the VMs, by the first ichor up.',
  network: 'How the nodes have their addresses. For adopted machines it is in their patches; for new ones it is this.',
  sizing: 'What most VMs of a role have.',
  vm: 'What most VMs have. Options that differ are kept, VM by VM: see adopted.keep.',
  talos: 'contract is the version that the configs were made for; patches hold what has no key.',
  controlplane:
    'uuid and mac are those of the VMs. adopted.keep: options of the VM that stay as they are; take one out, and ichor sets it as above. adopted.runs: versions that stay until ichor upgrade. adopted.unread: its config is not known.',
  workers: 'The same for workers.',
}

/** cluster.yaml: sections in order, each with a comment. */
export function inventoryText(settings: Fields, schema: string): string {
  const sections = Object.entries(settings).flatMap(([key, value]) => {
    const shown = pruned(value)
    if (shown === undefined) return []
    const comment = comments[key]
    const text = stringify({ [key]: shown }, { lineWidth: 120, flowCollectionPadding: true })
    return [`${comment === undefined ? '' : `# ${comment}\n`}${text}`]
  })
  const head = `# yaml-language-server: $schema=${schema}\n# Written by ichor adopt from what runs. Read it, then run ichor plan: nothing was changed so far.\n`
  return [head, ...sections].join('\n')
}

/** Without empty parts. */
function pruned(value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => pruned(item) ?? {})
  if (typeof value !== 'object') return value
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const shown = key === 'adopted' ? (pruned(inner) ?? {}) : pruned(inner)
    return shown === undefined ? [] : [[key, shown] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
