import { readFile } from 'node:fs/promises'
import { FileError } from '../errors.js'
import { resolveFile } from './referenced-files.js'
import type { SecretRef } from './secret-ref.js'
import { refuseAgeKey, refuseForeignVariable, refuseStoredValue, type SecretUse } from './secret-use.js'

export interface SecretSources {
  readonly env: NodeJS.ProcessEnv
  /** The base of relative paths. */
  readonly folder: string
  /** Values of the cluster's secrets file, by name. */
  readonly values: Readonly<Record<string, string>>
  /** Reads `vault://mount/path#name`; set by callers that can reach Vault. */
  readonly readVault?: (reference: string) => Promise<string>
  /** What it is for, which decides what may be referred to. */
  readonly use: SecretUse
}

/** The secret behind a reference. The error names the reference, never a value. */
export async function resolveSecretRef(ref: SecretRef, sources: SecretSources): Promise<string> {
  const value = await read(ref, sources)
  refuseAgeKey(value, describeRef(ref))
  return value
}

export function describeRef(ref: SecretRef): string {
  if (ref.kind === 'plain') return 'the inventory'
  if (ref.kind === 'vault') return ref.reference
  return `${ref.kind}:${ref.kind === 'file' ? ref.path : ref.name}`
}

async function read(ref: SecretRef, { env, folder, values, readVault = noVault, use }: SecretSources): Promise<string> {
  switch (ref.kind) {
    case 'plain':
      return ref.reveal()
    case 'env':
      refuseForeignVariable(ref.name, use)
      return present(environmentValue(ref.name, env), `env:${ref.name}`, `Set the environment variable ${ref.name}.`)
    case 'secret':
      refuseStoredValue(ref.name, use)
      return present(values[ref.name], `secret:${ref.name}`, `Put ${ref.name} into the secrets file.`)
    case 'vault':
      return readVault(ref.reference)
    case 'file':
      return present(
        await readFile(resolveFile(folder, ref.path), 'utf8').then(
          (text) => text.trim(),
          () => undefined,
        ),
        `file:${ref.path}`,
        `Write the secret to ${ref.path} with mode 0600.`,
      )
  }
}

/** An API token in the environment is `id=secret`: only the second part is secret. */
function environmentValue(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[name]
  return name === 'PROXMOX_VE_API_TOKEN' ? value?.slice(value.indexOf('=') + 1) : value
}

function present(value: string | undefined, where: string, fix: string): string {
  if (value !== undefined && value !== '') return value
  throw new FileError('A secret that the inventory refers to is not there.', { where, fix })
}

async function noVault(reference: string): Promise<string> {
  throw new FileError('Vault is not available here.', {
    where: reference,
    fix: 'Use env:, file: or secret: in its place.',
  })
}
