import { adminCertificate } from '../talos/clientconfig/client-certificate.js'
import { findSecrets, lifetimeArg, lifetimeInHours } from './client-access.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Prints a short-lived administrator certificate as a kubectl exec plugin. A kubeconfig written by `ichor kubeconfig --exec` calls it, so that no key is stored on disk. It requires access to the secrets.',
  examples: ['ichor credential -i inventory/prod', 'ichor credential --lifetime 4h'],
  args: { ...inventoryArg, ...labArg, ...lifetimeArg('1h') },
  async run({ inventory, lab, lifetime, ttl }, context) {
    const lifetimeHours = lifetimeInHours({ lifetime, ttl })
    const { bundle } = await findSecrets(await loadOne(inventory, context), lab, context)
    const now = new Date()
    const { crt, key } = await adminCertificate(bundle, { lifetimeHours, now })
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {
        expirationTimestamp: new Date(now.getTime() + lifetimeHours * 3_600_000).toISOString(),
        clientCertificateData: crt,
        clientKeyData: key,
      },
    }
    context.stdout.write(`${JSON.stringify(credential)}\n`)
    return 0
  },
})
