import { isTalosHeld } from '../../cluster/held.js'
import { defineFinding } from '../define-finding.js'

/** Also what an image that fell back to the old boot slot looks like. */
export const talosVersions = defineFinding({
  code: 'ICH1102',
  name: 'Machines run different versions of Talos',
  severity: 'warns',
  needs: ['talos'],
  *find({ inventory, observed }) {
    // An adopted machine may keep its version until ichor upgrade.
    const held = new Set(inventory.machines.filter(isTalosHeld).map(({ name }) => name))
    const running = observed.machines.flatMap(({ name, talos }) =>
      talos.reach === 'secured' && !held.has(name) ? [{ name, version: talos.version }] : [],
    )
    const versions = [...new Set(running.map(({ version }) => version))].toSorted()
    if (versions.length < 2) return
    const wanted = inventory.settings.talos_version
    const others = running.filter(({ version }) => version !== wanted)
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `The machines run Talos ${versions.join(' and ')}.`,
      detail: `Not ${wanted}: ${others.map(({ name, version }) => `${name} (${version})`).join(', ')}.`,
      cure: { text: 'Finish the upgrade.', command: 'ichor up' },
    }
  },
})
