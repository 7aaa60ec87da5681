import type { Advisory } from '../../advisories/advisory.js'
import { affecting } from '../../advisories/judge-advisories.js'
import { readAdvisories } from '../../advisories/read-advisories.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Problem } from '../../inventory/problem.js'

/** Versions in the inventory that are known not to go together. The version of Proxmox is not known here. */
export async function adviceProblems(inventory: Inventory): Promise<Problem[]> {
  const { settings } = inventory
  const wanted = {
    talos: [settings.talos_version],
    kubernetes: [settings.kubernetes_version],
    proxmox: [],
    addons: await addonVersions(inventory),
    settings,
  }
  const affected = affecting(await readAdvisories(inventory), wanted, Date.now())
  return affected.map((advisory) => problemOf(advisory, inventory))
}

async function addonVersions(inventory: Inventory): Promise<Record<string, string>> {
  const { resolveAddons } = await import('../../addons/resolve-addons.js')
  const { addonContext } = await import('../../desired/addon-context.js')
  const planned = resolveAddons(inventory.settings.addons, addonContext(inventory, {}))
  return Object.fromEntries(planned.map(({ name, version }) => [name, version]))
}

function problemOf({ title, id, source, way_out }: Advisory, { file }: Inventory): Problem {
  return {
    severity: 'warning',
    file,
    line: 0,
    column: 0,
    path: '',
    message: `${title} (advisory ${id}, ${source[0]}).`,
    fix: way_out,
    excerpt: '',
  }
}
