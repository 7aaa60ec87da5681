import {
  type AccessPlan,
  controllersOf,
  type GrantedAccess,
  grantAccess,
  planAccess,
  removeFormerControllers,
} from '../../access/index.js'
import { contractOf } from '../../desired/talos-machine.js'
import type { World } from '../../world.js'
import { askYes, declinedCode } from '../ask.js'
import { forEachInventory } from '../each-cluster.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { type Opened, withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { administrator } from './administrator.js'
import { describePlan } from './describe-plan.js'
import { expiryOf } from './expiry.js'

export default defineCommand({
  description:
    'Creates a pool, roles, a user and a token with the least privileges that the inventory needs on this Proxmox, and the users and tokens of the addons that need one. An administrator logs in, asked here or from PROXMOX_VE_USERNAME and PROXMOX_VE_PASSWORD. The token is printed once. Run again, it brings the rights in line with the inventory and removes users of addons that are gone.',
  examples: [
    'ichor access -i inventory/dev',
    'ichor access --renew --expires 90d --yes',
    'ichor access check -i inventory/dev',
  ],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    renew: { type: 'flag', help: 'replace existing tokens; the old ones stop working' },
    expires: { type: 'text', placeholder: 'DATE', help: 'new tokens stop working then: 2027-01-31, or 90d from now' },
    enableContent: { type: 'flag', help: 'let storages hold the content that the inventory needs there' },
  },
  async run({ inventory, yes, json, lab, renew, expires, enableContent }, context) {
    const expire = expires === undefined ? undefined : expiryOf(expires, new Date())
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const login = lab ? {} : { login: await administrator(context) }
      return withWorld(one, { lab, mayStartLab: true, ...login }, context, async (opened) => {
        const { world, inventory: seen } = opened
        const plan = await planAccess(world.proxmox, seen, controllersOf(seen.settings.addons), context.signal)
        context.stderr.write(`${describePlan(plan, enableContent)}\n`)
        for (const warning of plan.warnings) context.stderr.write(`warning  ${warning}\n`)
        if (!yes && !(await askYes('Create this?', context))) {
          context.stdout.write('Nothing was changed.\n')
          return declinedCode
        }
        const known = (await world.secrets.find())?.memory.values ?? {}
        const { signal } = context
        const granted = await grantAccess(world.proxmox, plan, {
          renewToken: renew,
          known,
          signal,
          ...(expire === undefined ? {} : { expire }),
        })
        const identities = [plan.run, ...plan.controllers.map(({ identity }) => identity)]
        const removed = await removeFormerControllers(world.proxmox, seen, identities, signal)
        const enabled = enableContent ? await enableMissing(plan, world, signal) : []
        await keepValues(granted, opened)
        report(plan, { ...granted, notes: [...granted.notes, ...removed, ...enabled] }, opened, json, context)
        return 0
      })
    })
  },
})

/** The tokens of controllers go into the secrets of the cluster, which are made now where there are none. */
async function keepValues({ values }: GrantedAccess, { world: { secrets }, inventory }: Opened): Promise<void> {
  if (Object.keys(values).length === 0) return
  if ((await secrets.find()) === undefined) await secrets.make(contractOf({ inventory, secrets: undefined }))
  await secrets.remember({ values })
}

async function enableMissing(
  { missingContent }: AccessPlan,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<string[]> {
  for (const { storage, content } of missingContent) await proxmox.storage.enableContent(storage, [content], signal)
  return missingContent.map(({ storage, content }) => `storage ${storage} now allows ${content}`)
}

function report(
  { run }: AccessPlan,
  { token, values, notes }: GrantedAccess,
  { world }: Opened,
  json: boolean,
  { stdout }: Context,
): void {
  const kept = Object.keys(values)
  if (json) return void stdout.write(`${JSON.stringify({ version: 1, token: token ?? null, kept, notes })}\n`)
  const lines = [
    ...notes,
    ...kept.map((name) => `kept ${name} in ${world.secrets.location}`),
    token === undefined
      ? `The token ${run.user}!${run.token} was there already and stays as it is; --renew replaces it.`
      : `This is shown once:\n\nexport PROXMOX_VE_API_TOKEN='${token.id}=${token.secret}'`,
  ]
  stdout.write(`${lines.join('\n')}\n`)
}
