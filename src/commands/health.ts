import {
  type Check,
  type ClusterFacts,
  checkHealth,
  clusterChecks,
  healthy,
  unhealthy,
  waitFor,
} from '../health/index.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Session } from '../operations/session.js'
import type { Status } from '../operations/status/status.js'
import { healthText } from '../report/health-text.js'
import { widthOf } from '../report/screen-width.js'
import { certificateProblems } from '../report/status-verdict.js'
import { textStyle } from '../report/text-style.js'
import { certificatesOf } from './certificates.js'
import { exitZeroArg, verdictCode } from './exit-codes.js'
import { defineCommand } from './frame/define-command.js'
import { findNodeTargets } from './node-targets.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Runs the named health checks of nodes, etcd, Kubernetes and addons. Failures are listed first, then certificates that end within observability.certificate_warning_days. Exits with 0 if all pass, with 4 if one fails, with 1 if it could not look.',
  examples: ['ichor health', 'ichor health --wait 600', 'ichor health --json | jq .healthy'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    wait: { type: 'number', placeholder: 'SECONDS', help: 'how long to wait for each check to pass' },
    ...exitZeroArg,
    all: { type: 'flag', help: 'also list checks that passed or were skipped' },
  },
  async run({ inventory, json, lab, exitZero, wait, all }, context) {
    const one = await loadOne(inventory, context)
    const report = await withWorld(
      one,
      { lab, mayStartLab: false, talosRoles: ['os:reader'] },
      context,
      async (opened) => {
        const facts = await factsOf(opened, context.signal)
        const certificates = await certificatesIn(opened, lab)
        const checks = [
          ...clusterChecks(facts),
          ...certificateChecks(certificates),
          ...(await addonChecks(opened.inventory, facts)),
        ]
        if (wait !== undefined) {
          const onWait = (text: string) => void context.stderr.write(`waiting for ${text}\n`)
          const waiting = { world: opened.world, timeoutMs: wait * 1000, onWait }
          for (const check of checks) await waitFor(check, waiting, context.signal)
        }
        const asked = await checkHealth(checks, { world: opened.world, signal: context.signal })
        return { ...asked, warnings: certificateProblems({ certificates }) }
      },
    )
    context.stdout.write(
      json
        ? `${JSON.stringify({ version: 1, ...report })}\n`
        : healthText(report, textStyle(context.stdout, context.env), widthOf(context.stdout), all),
    )
    return verdictCode(report.healthy, { exitZero })
  },
})

async function factsOf({ inventory, world }: Session, signal: AbortSignal): Promise<ClusterFacts> {
  const machines = await findNodeTargets(inventory, world, signal)
  const controlPlanes = machines.filter(({ role }) => role === 'controlplane')
  return {
    machines,
    endpoints: controlPlanes.map(({ address }) => ({ host: address, port: 6443 })),
    hasCni: hasCni(inventory),
    unmanaged: inventory.settings.unmanaged_nodes,
  }
}

async function certificatesIn({ inventory, world }: Session, isLab: boolean): Promise<Status['certificates']> {
  const { endingSoon } = await import('../operations/status/status.js')
  return endingSoon(certificatesOf(await world.secrets.find(), inventory, isLab), inventory.settings, new Date())
}

/** A cluster with an expired CA accepts no client; a client file is written again. */
function certificateChecks(certificates: Status['certificates']): Check[] {
  return certificates
    .filter(({ name }) => name.endsWith('CA'))
    .map(({ name, expires }) => ({
      name: `the ${name} to be valid`,
      run: async () =>
        Date.parse(expires) > Date.now() ? healthy : unhealthy(`it expired on ${expires.slice(0, 10)}`),
    }))
}

/** Checks need no secrets: an addon is checked by its objects. */
async function addonChecks(inventory: Inventory, { endpoints }: ClusterFacts): Promise<Check[]> {
  const { resolveAddons } = await import('../addons/resolve-addons.js')
  const { addonHealthChecks } = await import('../addons/addon-health.js')
  const { addonContext } = await import('../desired/addon-context.js')
  return addonHealthChecks(resolveAddons(inventory.settings.addons, addonContext(inventory, {})), endpoints)
}

/** Talos installs flannel, or an addon provides the network. */
function hasCni({ settings: { kubernetes, addons } }: Inventory): boolean {
  return kubernetes.cni !== 'none' || addons.cilium !== undefined
}
