import { UsageError } from '../errors.js'
import { clientCertificate, type TalosRole, talosRoles } from '../talos/clientconfig/client-certificate.js'
import { contextNameFor, mergeTalosconfig, talosconfig } from '../talos/clientconfig/talosconfig.js'
import { clientArgs, clientTarget, destination, lifetimeInHours, mergeInto } from './client-access.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Creates a client certificate for the Talos API from the secrets, without contacting a node, and prints a talosconfig or merges it into a file, preserving other contexts and comments. A certificate cannot be revoked: use the narrowest role and a short lifetime.',
  examples: [
    'ichor talosconfig --merge',
    'ichor talosconfig --roles os:reader --ttl 8h > reader.talosconfig',
    'ichor talosconfig --role os:etcd:backup --out backup.talosconfig',
  ],
  args: {
    ...inventoryArg,
    ...labArg,
    ...clientArgs,
    role: {
      type: 'list',
      placeholder: 'ROLE',
      help: `${talosRoles.join(', ')}; can be repeated (os:admin)`,
    },
    roles: { type: 'text', placeholder: 'ROLES', help: 'several roles, separated by commas' },
  },
  async run({ inventory, lab, lifetime, ttl, out, merge, use, role, roles: listed }, context) {
    const one = await loadOne(inventory, context)
    const roles = rolesOf([...role, ...(listed?.split(',').map((name) => name.trim()) ?? [])])
    const lifetimeHours = lifetimeInHours({ lifetime, ttl })
    const { bundle, controlPlanes, talosEndpoints } = await clientTarget(one, lab, context)
    const certificate = await clientCertificate(bundle, { roles, lifetimeHours, now: new Date() })
    const made = {
      name: one.settings.cluster_name,
      endpoints: talosEndpoints,
      nodes: controlPlanes.slice(0, 1),
      certificate,
    }
    const path = destination({ out, merge }, { variable: 'TALOSCONFIG', path: ['.talos', 'config'] }, context)
    if (path === undefined) {
      context.stdout.write(talosconfig(made))
      return 0
    }
    const change = (existing: string | undefined) => {
      const name = contextNameFor(existing, made, path)
      return mergeTalosconfig(existing, { ...made, name }, { where: path, makeCurrent: use })
    }
    await mergeInto(path, change, context)
    return 0
  },
})

function rolesOf(given: readonly string[]): readonly TalosRole[] {
  const isRole = (role: string): role is TalosRole => talosRoles.some((known) => known === role)
  const unknown = given.find((role) => !isRole(role))
  if (unknown !== undefined) {
    throw new UsageError(`Talos knows no role ${unknown}.`, {
      where: '--role',
      fix: `Choose one of ${talosRoles.join(', ')}.`,
    })
  }
  return given.length === 0 ? ['os:admin'] : given.filter(isRole)
}
