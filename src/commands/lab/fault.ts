import { UsageError } from '../../errors.js'
import { faultDefinitions } from '../../lab/faults/index.js'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'
import { faultArgs, faultOptions } from './fault-args.js'
import { faultEntry, faultList, faultWords } from './fault-list.js'
import { nameArg } from './named.js'
import { getLab } from './running.js'

export default defineCommand({
  description:
    'Starts a fault, or ends one. Faults of requests apply to those that match all given options; other faults last until they are ended. Without a fault, lists the rules for requests.',
  examples: [
    'ichor lab fault drop-answer --method POST --path "^/nodes/pve1/qemu$"',
    'ichor lab fault kill-caller --nth 7',
    'ichor lab fault status --code 596 --message "Connection timed out" --path tasks --times 3',
    'ichor lab fault fail-config --vmid 2000',
    'ichor lab fault refuse --surface proxmox --chance 0.05 --times 1000',
    'ichor lab fault hang --machine dev-cp-2',
    'ichor lab fault clock-behind --machine dev-cp-2 --ms 86400000',
    'ichor lab fault cut --from operator --to dev-cp-1,dev-cp-2',
    'ichor lab fault read-only-storage --storage pve1/local-lvm',
    'ichor lab fault host-offline --host pve2',
    'ichor lab fault --clear',
  ],
  args: {
    ...jsonArg,
    ...nameArg,
    ...faultArgs,
    list: { type: 'flag', help: 'list all faults with what they do, what they need and what ends them' },
    clear: { type: 'flag', help: 'remove all rules for requests' },
  },
  positionals: [{ name: 'fault', help: 'what happens', required: false, choices: faultWords }],
  async run(args, context, [fault]) {
    const { stdout } = context
    if (args.list) {
      const faults = faultDefinitions.map(faultEntry)
      stdout.write(args.json ? `${JSON.stringify({ version: 1, faults })}\n` : faultList(context))
      return 0
    }
    if (args.path !== undefined) refuseBrokenPattern(args.path)
    const { control } = await getLab(context, args.name)
    if (args.clear) await control.clearFaults()
    if (fault !== undefined) await control.fault(fault, faultOptions(args))
    const rules = await control.faults()
    const lines = rules.map(
      ({ id, match, action, hits, times = 1 }) =>
        `${id}  ${JSON.stringify(match)} -> ${JSON.stringify(action)} (${hits} of ${times})\n`,
    )
    stdout.write(args.json ? `${JSON.stringify({ version: 1, rules })}\n` : lines.join(''))
    return 0
  },
})

function refuseBrokenPattern(path: string): void {
  try {
    new RegExp(path)
  } catch (cause) {
    throw new UsageError(`--path must be a regular expression, got ${JSON.stringify(path)}.`, {
      where: 'ichor lab fault --path',
      fix: 'Write one such as "^/nodes/pve1/qemu$", in quotes.',
      cause,
    })
  }
}
