import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChecks } from '../kubectl/check.js'
import { exampleChecks } from './example-checks.js'
import { importChecks } from './import-checks.js'
import { recipeChecks } from './recipe-checks.js'
import { startTofuLab } from './tofu-lab.js'

/** OpenTofu with bpg/proxmox and siderolabs/talos against the lab: what they make on a real Proxmox they make here, and see no difference later. */
const [, , tools = '', here = '', root = ''] = process.argv
const checks = startChecks()
const work = mkdtempSync(join(tmpdir(), 'ichor-tofu-'))
try {
  for (const pve of [9, 8] as const) {
    const lab = await startTofuLab({ pve, tools, work: join(work, `pve-${pve}`) })
    try {
      for (const { title, run } of [...recipeChecks({ here }), ...exampleChecks({ root }), ...importChecks])
        await checks.attempt(`Proxmox VE ${pve}: ${title}`, () => run(lab))
      checks.check(
        `Proxmox VE ${pve}: every request was known`,
        lab.lab.proxmox.unknown().length === 0,
        lab.lab.proxmox.unknown().join('\n'),
      )
    } finally {
      await lab.close()
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exit(checks.finish())
