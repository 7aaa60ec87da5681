import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { ErrorRule } from '../proxmox/model/error-rule.js'
import { isProxmoxError, ProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { AccessInventory } from './access-inventory.js'
import { compilePrivileges, type Need } from './compile-privileges.js'
import { type AddonIdentity, addonIdentity, type Identity, runIdentity } from './identities.js'
import { makeAccess } from './make-access.js'
import { type MissingContent, missingContent } from './missing-content.js'
import { placesOf } from './places.js'
import { type SettledToken, type SettleOptions, settleToken } from './settle-token.js'
import type { TokenHome } from './token-home.js'
import { accessWarnings } from './warnings.js'

/** Everything that `ichor access` creates or checks for one inventory on one Proxmox. */
export interface AccessPlan {
  readonly needs: readonly Need[]
  readonly run: Identity
  readonly controllers: readonly { readonly addon: string; readonly identity: Identity }[]
  /** Risks of what is allowed. */
  readonly warnings: readonly string[]
  /** Content types that storages must allow and do not. */
  readonly missingContent: readonly MissingContent[]
}

/** An addon's controller; without its own storages it uses those of the machines' disks. */
export type Controller = Omit<AddonIdentity, 'storages'> & { readonly storages?: readonly string[] }

/** A token after `ichor access`, and its owner. */
export interface GrantedToken extends Omit<SettledToken, 'notes'> {
  /** `undefined` for the token that ichor's runs use. */
  readonly addon: string | undefined
}

export interface GrantedAccess {
  readonly tokens: readonly GrantedToken[]
  readonly notes: readonly string[]
}

/** Reads that Proxmox and determines what the inventory needs there. */
export async function planAccess(
  { cluster, access }: Pick<ProxmoxPort, 'cluster' | 'access'>,
  inventory: AccessInventory,
  controllers: readonly Controller[],
  signal: AbortSignal,
): Promise<AccessPlan> {
  // A token that may not see the rights of others gets an empty list.
  const [version, { storages, hosts }, acl, roles] = await Promise.all([
    cluster.version(signal),
    cluster.resources(signal),
    access.acl(signal).catch(() => []),
    access.roles(signal).catch(() => []),
  ])
  const facts = { version, storages, hosts: hosts.map(({ name }) => name) }
  const needs = compilePrivileges(inventory, facts)
  const places = placesOf(inventory, facts)
  const disks = places.disks.map((path) => path.replace(/^\/storage\/?/, ''))
  return {
    needs,
    warnings: accessWarnings(inventory, places, facts, acl, roles),
    missingContent: missingContent(inventory, places, facts),
    run: runIdentity(inventory, needs),
    controllers: controllers.map((controller) => ({
      addon: controller.addon,
      identity: addonIdentity(inventory, { ...controller, storages: controller.storages ?? disks }, version.major),
    })),
  }
}

export interface GrantOptions extends SettleOptions {
  /** Where the token of an addon's controller is stored, or without an addon that of runs. */
  readonly homeOf: (addon: string | undefined) => TokenHome
}

/** Creates everything, as an administrator. Secrets are only in the stores of the tokens or in the result. */
export async function grantAccess(
  proxmox: Pick<ProxmoxPort, 'access' | 'pools'>,
  { run, controllers }: AccessPlan,
  { homeOf, ...options }: GrantOptions,
): Promise<GrantedAccess> {
  const tokens: GrantedToken[] = []
  const notes: string[] = []
  for (const { addon, identity } of [{ addon: undefined, identity: run }, ...controllers]) {
    notes.push(...(await makeAccess(proxmox, identity, options.signal).catch(notAnAdministrator)))
    const settled = await settleToken(proxmox.access, identity, homeOf(addon), options)
    notes.push(...settled.notes)
    tokens.push({ addon, shown: settled.shown, kept: settled.kept, current: settled.current })
  }
  return { tokens, notes }
}

/** The user of this command is the one who grants: advice to run `ichor access` would not help. */
function notAnAdministrator(thrown: unknown): never {
  if (!isProxmoxError(thrown, 'forbidden')) throw thrown
  const { method, path, status = 403, reason, outcome } = thrown
  throw new ProxmoxError({ method, path, status, reason, outcome, rule: onlyAdministrators, cause: thrown })
}

const onlyAdministrators: ErrorRule = {
  kind: 'forbidden',
  pattern: /$/,
  message: () => 'This user is not allowed to create pools, roles, users and tokens.',
  fix: 'Log in as an administrator, such as root@pam.',
}
