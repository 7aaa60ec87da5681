import { adminCertificate } from '../talos/clientconfig/client-certificate.js'
import { clusterNameFor, mergeKubeconfig } from '../talos/clientconfig/kubeconfig.js'
import { credentialCommand } from './access-files.js'
import { clientArgs, clientTarget, destination, lifetimeInHours, mergeInto } from './client-access.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Creates an administrator kubeconfig from the secrets, without contacting a node, and prints it or merges it into a file, preserving other clusters and comments. A certificate cannot be revoked: use a short lifetime.',
  examples: [
    'ichor kubeconfig --merge --use',
    'ichor kubeconfig --merge --exec',
    'ichor kubeconfig --lifetime 8h > today.kubeconfig',
  ],
  args: {
    ...inventoryArg,
    ...labArg,
    ...clientArgs,
    exec: {
      type: 'flag',
      help: 'no key in the file: kubectl calls `ichor credential` for a certificate valid for one hour',
    },
  },
  async run({ inventory, lab, lifetime, ttl, out, merge, use, exec }, context) {
    const one = await loadOne(inventory, context)
    const lifetimeHours = lifetimeInHours({ lifetime, ttl })
    const { bundle, endpoint, proxyUrl } = await clientTarget(one, lab, context)
    const certificate = await adminCertificate(bundle, { lifetimeHours, now: new Date() })
    const made = {
      clusterName: one.settings.cluster_name,
      endpoint,
      certificate,
      ...(exec ? { exec: credentialCommand(one.folder, lab, context.env) } : {}),
      ...(proxyUrl === undefined ? {} : { proxyUrl }),
    }
    const path = destination({ out, merge }, { variable: 'KUBECONFIG', path: ['.kube', 'config'] }, context)
    if (path === undefined) {
      context.stdout.write(mergeKubeconfig(undefined, made, { where: 'kubeconfig' }))
      return 0
    }
    const change = (existing: string | undefined) => {
      const clusterName = clusterNameFor(existing, made, path)
      return mergeKubeconfig(existing, { ...made, clusterName }, { where: path, makeCurrent: use })
    }
    await mergeInto(path, change, context)
    return 0
  },
})
