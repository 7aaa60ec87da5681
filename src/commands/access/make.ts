import {
  type AccessPlan,
  controllersOf,
  createProver,
  type GrantedAccess,
  grantAccess,
  planAccess,
  refuseBroadRights,
  removeFormerControllers,
} from '../../access/index.js'
import { UsageError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Session } from '../../operations/session.js'
import { formatToken } from '../../proxmox/model/api-token.js'
import { printable } from '../../report/printable.js'
import type { World } from '../../world.js'
import { askYes, declinedCode } from '../ask.js'
import { forEachInventory } from '../each-cluster.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { administered } from './administered.js'
import { administrator } from './administrator.js'
import { describePlan } from './describe-plan.js'
import { expiryOf } from './expiry.js'
import { planPoolMoves } from './move-adopted.js'
import { removeAccess } from './remove.js'
import { expiryValues } from './token-expiry.js'
import { controllerTokenHome, keepValues, runTokenHome } from './token-homes.js'

export default defineCommand({
  description:
    'Creates a pool, roles, a user and a token with the least privileges that the inventory needs on this Proxmox, and the users and tokens of the addons that need one. Needs an administrator login: prompts for it, or reads PROXMOX_VE_USERNAME and PROXMOX_VE_PASSWORD. The token is stored where proxmox.token_secret points (secret:, file: or vault:), else it is printed once. Running it again updates the permissions to match the inventory, and removes users of removed addons and unused tokens. It also writes what needs Sys.Modify on /, which the token does not get: security groups and IP sets, the firewall of the datacenter, the backup job and the order at host start.',
  examples: [
    'ichor access -i inventory/dev',
    'ichor access --renew --expires 90d --yes',
    'ichor access check -i inventory/dev',
    'ichor access --adopt --move 702 -i inventory/home',
    'ichor access --remove -i inventory/dev',
  ],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    renew: { type: 'flag', help: 'create new tokens; the old ones keep working until the new ones are in use' },
    expires: {
      type: 'text',
      placeholder: 'WHEN',
      help: 'when new tokens expire: 90d, 12h or 4w from now, or 2027-01-31',
    },
    enableContent: { type: 'flag', help: 'allow the required content types on storages' },
    adopt: {
      type: 'flag',
      help: 'after ichor adopt: also put the VMs of the cluster into its pool, with a question for each',
    },
    move: {
      type: 'list',
      placeholder: 'VMID',
      help: 'with --adopt: take this VM out of the pool of others, or although its node does not answer; can be repeated',
    },
    remove: {
      type: 'flag',
      help: 'after ichor destroy: remove what ichor access has created, and what the token may not remove',
    },
  },
  async run({ inventory, yes, json, lab, renew, expires, enableContent, adopt, move, remove }, context) {
    const named = vmidsOf(move)
    const { administer } = await import('../../operations/goals.js')
    const expire = expires === undefined ? undefined : expiryOf(expires, new Date())
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const login = lab ? {} : { login: await administrator(context) }
      return withWorld(one, { lab, mayStartLab: true, ...login }, context, async (opened) => {
        const { world, inventory: seen } = opened
        if (remove) return removeAccess(opened, { yes, json }, context)
        const plan = await planAccess(world.proxmox, seen, controllersOf(seen.settings.addons), context.signal)
        await refuseBroadRights(world.proxmox, plan.run, context.signal)
        const objects = await administered(administer, opened, context)
        context.stderr.write(`${describePlan(plan, objects, enableContent)}\n`)
        for (const warning of [...plan.warnings, ...objects.notes])
          context.stderr.write(`warning  ${printable(warning)}\n`)
        const moves = adopt ? await planPoolMoves(opened, { yes, named }, context) : undefined
        if (!yes && !(await askYes('Create this?', context))) {
          context.stdout.write('Nothing was changed.\n')
          return declinedCode
        }
        await moves?.ask()
        const { signal } = context
        const granted = await grantAccess(world.proxmox, plan, {
          renew,
          signal,
          prove: proverFor(one, lab, opened, context),
          homeOf: (addon) =>
            addon === undefined ? runTokenHome(opened, context) : controllerTokenHome(addon, opened, context),
          ...(expire === undefined ? {} : { expire }),
        })
        await rememberExpiry(granted, opened)
        await bindToken(granted, opened, context)
        const identities = [plan.run, ...plan.controllers.map(({ identity }) => identity)]
        const removed = await removeFormerControllers(world.proxmox, seen, identities, signal)
        const enabled = enableContent ? await enableMissing(plan, world, signal) : []
        const notes = [...granted.notes, ...removed, ...enabled]
        try {
          notes.push(...(await objects.carryOut()))
          for await (const note of moves?.carryOut() ?? []) notes.push(note)
        } finally {
          // A new token is shown only once.
          report({ ...granted, notes }, json, context)
        }
        return 0
      })
    })
  },
})

function vmidsOf(given: readonly string[]): number[] {
  return given.map((text) => {
    if (/^[1-9]\d{2,8}$/.test(text)) return Number(text)
    throw new UsageError(`${text} is no VMID.`, { where: '--move', fix: 'Write the number of the VM: --move 702.' })
  })
}

/** A separate connection for each token under test. */
function proverFor(inventory: Inventory, lab: boolean, { world, destination }: Session, context: Context) {
  const how = { lab, mayStartLab: false, ...(destination === undefined ? {} : { confirmed: destination }) }
  return createProver({
    clock: world.clock,
    signal: context.signal,
    as: (token, work) => withWorld(inventory, { ...how, token }, context, ({ world }) => work(world.proxmox)),
  })
}

/** A token may not query its own expiry, so it is stored for `status`. */
async function rememberExpiry({ tokens }: GrantedAccess, opened: Session): Promise<void> {
  const known = (await opened.world.secrets.find())?.memory.values ?? {}
  const values = expiryValues(tokens, known)
  if (Object.keys(values).length > 0) await keepValues(values, opened)
}

/** Its secret proves where it may be sent. */
async function bindToken({ tokens }: GrantedAccess, opened: Session, context: Context): Promise<void> {
  const shown = tokens.find(({ addon }) => addon === undefined)?.shown
  const token = shown ?? (await runTokenHome(opened, context).find())
  await opened.keepBinding(token === undefined ? [] : [token.secret])
}

async function enableMissing(
  { missingContent }: AccessPlan,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<string[]> {
  for (const { storage, content } of missingContent) await proxmox.storage.enableContent(storage, [content], signal)
  return missingContent.map(({ storage, content }) => `storage ${storage} now allows ${content}`)
}

function report({ tokens, notes }: GrantedAccess, json: boolean, { stdout }: Context): void {
  const shown = tokens.find((token) => token.shown !== undefined)?.shown
  const kept = tokens.flatMap((token) => token.kept ?? [])
  if (json) return void stdout.write(`${JSON.stringify({ version: 1, token: shown ?? null, kept, notes })}\n`)
  const lines = [
    ...notes,
    ...kept.map((place) => `kept the token in ${place}`),
    ...(shown === undefined ? [] : [`This is shown once:\n\nexport PROXMOX_VE_API_TOKEN='${formatToken(shown)}'`]),
    ...(shown === undefined && kept.length === 0 ? ['The tokens were not changed; --renew creates new ones.'] : []),
  ]
  stdout.write(`${lines.join('\n')}\n`)
}
