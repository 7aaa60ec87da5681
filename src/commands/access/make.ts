import { type AccessPlan, controllersOf, type GrantedAccess, grantAccess, planAccess } from '../../access/index.js'
import { contractOf } from '../../desired/talos-machine.js'
import { askYes, declinedCode } from '../ask.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { type Opened, withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { administrator } from './administrator.js'
import { describePlan } from './describe-plan.js'

export default defineCommand({
  description:
    'Works out the least privileges that the inventory needs on this Proxmox, and makes pool, roles, user and token, and those of the controllers that the inventory asks for. An administrator logs in for it, asked here or from PROXMOX_VE_USERNAME and PROXMOX_VE_PASSWORD. The token is printed once. Run again, it brings the rights in line with the inventory.',
  examples: ['ichor access -i inventory/dev', 'ichor access --renew --yes', 'ichor access check -i inventory/dev'],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    renew: { type: 'flag', help: 'replace tokens that are there; the old ones stop to work' },
  },
  async run({ inventory, yes, json, lab, renew }, context) {
    let code = 0
    for (const one of await loadNamed(inventory, context)) {
      const login = lab ? {} : { login: await administrator(context) }
      await withWorld(one, { lab, mayStartLab: true, ...login }, context, async (opened) => {
        const { world, inventory: seen } = opened
        const plan = await planAccess(world.proxmox, seen, controllersOf(seen.settings.addons), context.signal)
        context.stderr.write(`${describePlan(plan)}\n`)
        if (!yes && !(await askYes('Make this?', context))) {
          code = declinedCode
          return void context.stdout.write('Nothing was changed.\n')
        }
        const known = (await world.secrets.find())?.memory.values ?? {}
        const granted = await grantAccess(world.proxmox, plan, { renewToken: renew, known, signal: context.signal })
        await keepValues(granted, opened)
        tell(plan, granted, opened, json, context)
      })
    }
    return code
  },
})

/** The tokens of controllers go into the secrets of the cluster, which are made now where there are none. */
async function keepValues({ values }: GrantedAccess, { world: { secrets }, inventory }: Opened): Promise<void> {
  if (Object.keys(values).length === 0) return
  if ((await secrets.find()) === undefined) await secrets.make(contractOf({ inventory, secrets: undefined }))
  await secrets.remember({ values })
}

function tell(
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
