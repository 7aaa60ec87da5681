import type { RenderedCluster } from '../../operations/render/rendered-cluster.js'
import type { TextStyle } from '../../report/text-style.js'
import { diffConfigs, type FieldChange } from '../../talos/config/diff.js'

/** What would change on one node; secrets are masked. */
export interface NodeChanges {
  readonly name: string
  /** `absent`: no node responds, so its whole config would be new. */
  readonly state: 'same' | 'changed' | 'absent'
  readonly needs_reboot: boolean
  readonly changes: readonly FieldChange[]
}

/** The wanted config of every node compared with its active one. */
export function configChanges({ configs, observed }: RenderedCluster): NodeChanges[] {
  return [...configs].map(([name, wanted]) => {
    const talos = observed?.machines.find((machine) => machine.name === name)?.talos
    if (talos?.reach !== 'secured' || !talos.config.seen)
      return { name, state: 'absent', needs_reboot: false, changes: [] }
    const { changes, needsReboot } = diffConfigs(talos.config.value, wanted, talos.version)
    return { name, state: changes.length === 0 ? 'same' : 'changed', needs_reboot: needsReboot, changes }
  })
}

/** The same as text. */
export function changesText(nodes: readonly NodeChanges[], style: TextStyle): string {
  return nodes.map((node) => nodeText(node, style)).join('')
}

function nodeText({ name, state, needs_reboot, changes }: NodeChanges, style: TextStyle): string {
  if (state === 'absent') return `${style.bold(name)}  does not answer yet: its whole config would be new\n`
  if (state === 'same') return `${style.bold(name)}  has this config\n`
  const lines = changes.flatMap(({ document, path, before, after, needsReboot }) => [
    `  ${document}${path === '' ? '' : `: ${path}`}${needsReboot ? '  (reboots)' : ''}`,
    ...marked('-', before, style.red),
    ...marked('+', after, style.green),
  ])
  return `${style.bold(name)}${needs_reboot ? '  needs a reboot' : ''}\n${lines.join('\n')}\n`
}

function marked(mark: string, text: string | undefined, paint: (line: string) => string): string[] {
  if (text === undefined) return []
  return text
    .trimEnd()
    .split('\n')
    .map((line) => paint(`    ${mark} ${line}`))
}
