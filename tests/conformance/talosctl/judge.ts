import { startChecks } from '../../real-clients/kubectl/check.js'
import { startCluster } from './a-cluster.js'
import { changeChecks } from './change-checks.js'
import { readChecks } from './read-checks.js'
import { talosctlOf } from './talosctl.js'

/** talosctl itself against the lab: what it can do to real machines it can do here, from its own words and exit codes. */
const checks = startChecks()
const cluster = await startCluster()
const talosctl = talosctlOf(process.argv[2] ?? 'talosctl', cluster.talosconfig)
try {
  for (const { title, run } of [...readChecks, ...changeChecks]) {
    const startedAt = Date.now()
    await checks.attempt(`talosctl ${title}`, () => run(talosctl, cluster))
    console.log(`      ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  }
} finally {
  await cluster.close()
}
process.exit(checks.finish())
