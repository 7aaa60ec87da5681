import { UsageError } from '../errors.js'

/** What a secret is for: an edit of the inventory must not send another one in its place. */
export type SecretUse = 'proxmox-token' | 's3-key' | 'ssh-passphrase' | 'addon' | 'watch'

/** Keys of other tools, which no option of an inventory needs. */
const foreign =
  /^(SOPS|AGE|VAULT|BAO|ACTIONS|RUNNER|GPG|SSH|ARM|AZURE|GOOGLE|PROXMOX_VE_PASSWORD)(_|$)|KUBECONFIG|PASSPHRASE$/i
const pipeline = /^(GITHUB|GITLAB|CI|BITBUCKET|CIRCLE|NPM)(_|$)/i
const cloud = /^AWS(_|$)/i
const ofProxmox = /PROXMOX|PVE|ICHOR|^TF_VAR_/i
/** Tokens and keys of ichor itself, by the names that they usually have. */
const ofIchor = /PROXMOX|PVE|(BACKUP|(^|_)S3(_|$)).*(KEY|SECRET|TOKEN|PASSWORD)/i

const rules: Readonly<Record<SecretUse, { allows(name: string): boolean; readonly fix: string }>> = {
  'proxmox-token': {
    allows: (name) => ofProxmox.test(name) && !foreign.test(name) && !pipeline.test(name) && !cloud.test(name),
    fix: 'Put the token into a variable with PROXMOX or PVE in its name, such as PROXMOX_TOKEN_SECRET, and refer to that one.',
  },
  's3-key': {
    allows: (name) => !foreign.test(name) && !pipeline.test(name) && !ofProxmox.test(name),
    fix: 'Put the key into a variable of its own, such as BACKUP_ACCESS_KEY, and refer to that one.',
  },
  'ssh-passphrase': {
    allows: (name) => !/^(SOPS|AGE|VAULT|BAO|AWS)(_|$)/i.test(name),
    fix: 'Put the passphrase into a variable of its own, such as JUMP_HOST_PASSPHRASE, and refer to that one.',
  },
  watch: {
    allows: isOfTheirOwn,
    fix: 'Put the address, key or token into a variable of its own, such as WEBHOOK_URL, and refer to that one.',
  },
  addon: {
    allows: isOfTheirOwn,
    fix: 'Put the secret into a variable of its own, such as FLUX_KEY, and refer to that one.',
  },
}

function isOfTheirOwn(name: string): boolean {
  return ![foreign, pipeline, cloud, ofIchor].some((pattern) => pattern.test(name))
}

/** Refuses variables that hold the secrets of other tools. */
export function refuseForeignVariable(name: string, use: SecretUse): void {
  const { allows, fix } = rules[use]
  if (allows(name)) return
  throw new UsageError(`The inventory refers to the variable ${name}, which is not read for this purpose.`, {
    where: `env:${name}`,
    fix,
  })
}

/** What `ichor access` and the backups store in the secrets file. */
const storedByIchor = /^(proxmox|backup)[._]|\.token_(id|secret)$/

/** Refuses what ichor itself stored in the secrets file. */
export function refuseStoredValue(name: string, use: SecretUse): void {
  if (use === 'proxmox-token' || (use === 's3-key' && name.startsWith('backup')) || !storedByIchor.test(name)) return
  throw new UsageError(`The inventory refers to ${name} of the secrets file, which is not read for this purpose.`, {
    where: `secret:${name}`,
    fix: 'Put the secret into the secrets file under a name of its own, and refer to that one.',
  })
}

/** Age keys stay on this computer: nothing that the inventory refers to may be one. */
export function refuseAgeKey(value: string, where: string): void {
  if (!/AGE-(SECRET-KEY|PLUGIN)-/i.test(value)) return
  throw new UsageError('The inventory refers to an age key, which never leaves this computer.', {
    where,
    fix: 'Refer to the secret that is meant.',
  })
}
