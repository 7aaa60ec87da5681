import { isMap, parseAllDocuments } from 'yaml'
import type { SecretsBundle, SecretsFile } from '../bundle.js'
import { emptyMemory, parseSecretsFile } from '../bundle-file.js'
import { complaintsAbout } from '../check-bundle.js'
import { SecretsError } from '../secrets-error.js'
import { findValue } from '../yaml-value.js'
import { bundleFromControlPlane } from './control-plane-config.js'
import { bundleFromTerraform } from './terraform-state.js'

/**
 * Reads the secrets of an existing cluster: a bundle, the config of one of its control planes, or Terraform state.
 * `cluster` selects one if a state holds several.
 */
export function readImport(text: string, where: string, options: { cluster?: string } = {}): SecretsFile {
  if (text.trimStart().startsWith('{') && text.includes('"resources"')) {
    return checked(bundleFromTerraform(text, where, options.cluster), where)
  }
  const documents = readDocuments(text, where)
  if (documents.length === 1 && isGiven(documents[0], 'trustdinfo')) return parseSecretsFile(text, where)
  if (documents.some((document) => isGiven(document, 'machine')))
    return checked(bundleFromControlPlane(documents), where)
  throw new SecretsError('This is neither a secrets bundle nor a machine config nor Terraform state.', {
    where,
    fix: 'Give the secrets.yaml of `talosctl gen secrets`, a controlplane.yaml, or a Terraform state file.',
  })
}

type Document = Readonly<Record<string, unknown>>

/** Every value as text, so that a token of digits stays one. */
function readDocuments(text: string, where: string): Document[] {
  const parsed = parseAllDocuments(text, { schema: 'failsafe', logLevel: 'error' })
  if (!Array.isArray(parsed)) return []
  const maps = parsed.filter(({ contents }) => isMap(contents)).map(findValue)
  if (parsed.some(({ errors }) => errors.length > 0) || maps.includes(undefined)) {
    throw new SecretsError('This file is not YAML: it was truncated or changed.', {
      where,
      fix: 'Use a complete file.',
    })
  }
  return maps as Document[]
}

function isGiven(document: Document | undefined, name: string): boolean {
  return document?.[name] !== undefined
}

function checked(bundle: SecretsBundle, where: string): SecretsFile {
  const complaints = complaintsAbout(bundle)
  if (complaints.length === 0) return { bundle, memory: { ...emptyMemory, bootstrapped: true } }
  throw new SecretsError(`This file does not contain all secrets of a cluster: ${complaints.join('; ')}.`, {
    where,
    fix: 'Give the config of a control plane; a worker does not know the keys of the authorities.',
  })
}
