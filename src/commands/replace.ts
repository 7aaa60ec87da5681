import { UsageError } from '../errors.js'
import { otherHostConfirmed } from '../findings/refusals/runs.js'
import { assertReplicasElsewhere, awaitForgotten, findLostHost } from '../operations/change/find-lost-host.js'
import { filesOf } from '../operations/change/lost-host.js'
import { replacedSpec } from '../operations/change/replaced-spec.js'
import type { Session } from '../operations/session.js'
import { specOf } from '../operations/spec/spec-of.js'
import { declinedCode } from './ask.js'
import { type ChangeFlags, carryOut, changeArgs } from './change/carry-out.js'
import { lostHostEnd, replaceEnd } from './change/verb-end.js'
import { typeName } from './confirm-name.js'
import { consentTo } from './consent-to-loss.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'

export default defineCommand({
  description:
    'Deletes the VM of a machine, healthy or lost, and creates a new one with the same name and address. A healthy machine is drained and leaves etcd first. --host HOST --gone recreates the machines of a permanently lost host on other hosts.',
  examples: [
    'ichor replace dev-wk-2',
    'ichor replace dev-cp-1 --dry-run',
    'ichor replace dev-wk-2 --yes --delete-data',
    'ichor replace --host pve2 --gone',
  ],
  args: {
    ...changeArgs,
    host: { type: 'text', placeholder: 'HOST', help: 'replace all machines of this host; needs --gone' },
    gone: { type: 'flag', help: 'confirms that the host is off and will never boot again' },
    confirmHost: {
      type: 'text',
      placeholder: 'HOST',
      help: 'for scripts: the name of the lost host, instead of the prompt; --yes alone is not enough',
    },
  },
  positionals: [{ name: 'node', help: 'the machines to replace, by name', required: false, rest: true }],
  async run({ inventory, lab, host, gone, confirmHost, ...flags }, context, names) {
    if (names.length > 0 === (host !== undefined)) throw misused('Name machines, or a host with --host.')
    if (gone !== (host !== undefined)) throw misused('--host and --gone belong together.')
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      if (host !== undefined) return replaceHost(host, { ...flags, confirmHost }, opened, context)
      const options = { env: context.env, world: opened.world, isLab: lab, signal: context.signal }
      const change = (run: string) => replacedSpec(names, opened.inventory, { ...options, run })
      return carryOut(change, flags, opened, context, replaceEnd(names))
    })
  },
})

/** Lists what must be removed by hand, waits for it, and lets the run recreate what is lost. */
async function replaceHost(
  host: string,
  { confirmHost, ...flags }: ChangeFlags & { readonly confirmHost: string | undefined },
  opened: Session,
  context: Context,
): Promise<number> {
  const { world, inventory } = opened
  const lost = await findLostHost(host, inventory, world, context.signal)
  const files = filesOf(lost)
  const spec = await specOf(opened)
  await assertReplicasElsewhere(lost, spec, world, context.signal)
  if (flags.dryRun && flags.json) {
    const { machines, disks } = lost
    context.stdout.write(`${JSON.stringify({ version: 1, host, machines, files, loses: disks })}\n`)
    return 0
  }
  const { stderr } = context
  stderr.write(`Machines of ${host}: ${lost.machines.join(', ') || 'none'}. Data on its local disks is lost.\n`)
  if (lost.disks.length > 0) stderr.write(`Lost with it: ${lost.disks.join('; ')}.\n`)
  if (flags.dryRun) {
    if (files.length > 0) stderr.write(`Files to remove as root, once ${host} is permanently off:\n${listOf(files)}`)
    return 0
  }
  const consent = { isAsked: !flags.yes, deleteData: flags.deleteData }
  if (!(await consentTo(lost.disks, inventory.settings.cluster_name, consent, context))) return declinedCode
  if (!(await isConfirmed(host, confirmHost, context))) return declinedCode
  if (files.length > 0) {
    stderr.write(`As root on another host of Proxmox:\n  rm ${files.join(' \\\n     ')}\n`)
    stderr.write('Waiting until Proxmox no longer lists them.\n')
  }
  await awaitForgotten(lost, world, context.signal)
  return carryOut(async () => ({ spec, write: async () => {} }), flags, opened, context, lostHostEnd(host))
}

function listOf(files: readonly string[]): string {
  return files.map((file) => `  ${file}\n`).join('')
}

/** A machine must not run twice: the user types the host's name to confirm that it is off. */
async function isConfirmed(host: string, given: string | undefined, context: Context): Promise<boolean> {
  if (given === host) return true
  if (given !== undefined) {
    throw otherHostConfirmed.refuse(`--confirm-host names ${given}, and the host is ${host}.`, {
      subject: { kind: 'host', name: host },
      where: '--confirm-host',
      fix: `If ${host} is off and will not boot again, use --confirm-host ${host}.`,
    })
  }
  const question = `Type ${host} if it is off and will never boot again: `
  return typeName(host, question, `Without a terminal, run with --confirm-host ${host}.`, context)
}

function misused(problem: string): UsageError {
  return new UsageError(problem, {
    where: 'ichor replace',
    fix: 'ichor replace dev-wk-2, or ichor replace --host pve2 --gone.',
  })
}
