import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { ErrorRule } from '../proxmox/model/error-rule.js'
import { isProxmoxError, ProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { AccessInventory } from './access-inventory.js'
import { compilePrivileges, type Need } from './compile-privileges.js'
import { type AddonIdentity, addonIdentity, type Identity, runIdentity } from './identities.js'
import { makeAccess } from './make-access.js'
import { type MissingContent, missingContent } from './missing-content.js'
import { placesOf } from './places.js'
import { accessWarnings } from './warnings.js'

/** Everything that `ichor access` makes or checks for one inventory on one Proxmox. */
export interface AccessPlan {
  readonly needs: readonly Need[]
  readonly run: Identity
  readonly controllers: readonly { readonly addon: string; readonly identity: Identity }[]
  /** What is allowed and still not good. */
  readonly warnings: readonly string[]
  /** What storages must allow and do not. */
  readonly missingContent: readonly MissingContent[]
}

/** An addon's controller; without storages of its own it works on those of the machines' disks. */
export type Controller = Omit<AddonIdentity, 'storages'> & { readonly storages?: readonly string[] }

export interface GrantedAccess {
  /** `undefined` when the token was there already. */
  readonly token: { readonly id: string; readonly secret: string } | undefined
  /** `proxmox_csi.token_id`, `proxmox_csi.token_secret`, …: for the secrets file of the cluster. */
  readonly values: Readonly<Record<string, string>>
  readonly notes: readonly string[]
}

/** Looks at that Proxmox and works out what the inventory needs there. */
export async function planAccess(
  { cluster }: Pick<ProxmoxPort, 'cluster'>,
  inventory: AccessInventory,
  controllers: readonly Controller[],
  signal: AbortSignal,
): Promise<AccessPlan> {
  const [version, { storages }] = await Promise.all([cluster.version(signal), cluster.resources(signal)])
  const facts = { version, storages }
  const needs = compilePrivileges(inventory, facts)
  const places = placesOf(inventory, facts)
  const disks = places.disks.map((path) => path.replace(/^\/storage\/?/, ''))
  return {
    needs,
    warnings: accessWarnings(inventory, places, facts),
    missingContent: missingContent(inventory, places, facts),
    run: runIdentity(inventory, needs),
    controllers: controllers.map((controller) => ({
      addon: controller.addon,
      identity: addonIdentity(inventory, { ...controller, storages: controller.storages ?? disks }, version.major),
    })),
  }
}

export interface GrantOptions {
  readonly renewToken: boolean
  /** When new tokens stop working, in seconds since 1970. */
  readonly expire?: number
  /** What the secrets file holds: a controller's token whose secret is not there is of no use, and replaced. */
  readonly known: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Makes it all, as an administrator. Secrets are in the result and nowhere else. */
export async function grantAccess(
  proxmox: Pick<ProxmoxPort, 'access' | 'pools'>,
  { run, controllers }: AccessPlan,
  { renewToken, expire, known, signal }: GrantOptions,
): Promise<GrantedAccess> {
  const lifetime = expire === undefined ? {} : { expire }
  const make = (identity: Identity, renew: boolean) =>
    makeAccess(proxmox, identity, { renewToken: renew, signal, ...lifetime }).catch(notAnAdministrator)
  const own = await make(run, renewToken)
  const values: Record<string, string> = {}
  const notes = [...own.notes]
  for (const { addon, identity } of controllers) {
    const isLost = known[`${addon}.token_secret`] === undefined
    const made = await make(identity, renewToken || isLost)
    notes.push(...made.notes)
    if (made.token === undefined) continue
    values[`${addon}.token_id`] = made.token.id
    values[`${addon}.token_secret`] = made.token.secret
  }
  return { token: own.token, values, notes }
}

/** Whoever runs this is the one who grants: advice to run `ichor access` would not help. */
function notAnAdministrator(thrown: unknown): never {
  if (!isProxmoxError(thrown, 'forbidden')) throw thrown
  const { method, path, status = 403, reason, outcome } = thrown
  throw new ProxmoxError({ method, path, status, reason, outcome, rule: onlyAdministrators, cause: thrown })
}

const onlyAdministrators: ErrorRule = {
  kind: 'forbidden',
  pattern: /$/,
  message: () => 'The user that logged in may not make pools, roles, users and tokens.',
  fix: 'Log in as an administrator, such as root@pam.',
}
