import { isMap, parseDocument, stringify } from 'yaml'
import { isRecoveryStage, type Recovery } from '../cluster/recovery.js'
import {
  isRotationPhase,
  isRotationTarget,
  type RotatedKeys,
  type RotationNotes,
  rotationNotesOf,
  rotationTargets,
} from '../cluster/rotation.js'
import { boundToTree, findBindings } from './bound-to.js'
import type { CertificateAndKey, ClusterMemory, Rotation, SecretsBundle, SecretsFile } from './bundle.js'
import { complaintsAbout, rotationComplaints } from './check-bundle.js'
import { withAccepted } from './rotation.js'
import { SecretsError } from './secrets-error.js'
import { findValue } from './yaml-value.js'

/** The memory of a new cluster. */
export const emptyMemory: ClusterMemory = { bootstrapped: false, values: {} }

/** The YAML of `talosctl gen secrets`, with ichor's memory under a separate key. */
export function formatSecretsFile({ bundle, memory }: SecretsFile): string {
  return stringify({ ...orderedBundle(bundle), ichor: orderedMemory(memory) }, yamlForm)
}

/** The bundle alone, for Talos's own tools. */
export function formatBundle(bundle: SecretsBundle): string {
  return stringify(orderedBundle(bundle), yamlForm)
}

/** Reads a bundle, new or old, with or without ichor's memory. Reports all problems without repeating a value. */
export function parseSecretsFile(text: string, where: string): SecretsFile {
  return secretsIn(parseTree(text, where), where)
}

/** The same from a parsed file in which every value is text. */
export function secretsIn(tree: Tree, where: string): SecretsFile {
  const missing: string[] = []
  const bundle = readBundle(tree, missing)
  const memory = readMemory(tree.ichor)
  const complaints =
    missing.length > 0
      ? missing.map((path) => `${path} is missing`)
      : [...complaintsAbout(bundle), ...rotationComplaints(memory.rotation)]
  if (complaints.length > 0) {
    throw new SecretsError(`This secrets bundle is incomplete: ${complaints.join('; ')}.`, {
      where,
      fix: 'Restore the file from version control or a backup. Never create new secrets for an existing cluster.',
    })
  }
  return { bundle: withAccepted(bundle, memory.rotation), memory }
}

const yamlForm = { indent: 4, lineWidth: 0 } as const

export type Tree = Readonly<Record<string, unknown>>

/** Everything stays text: a token of digits must not become a number. */
function parseTree(text: string, where: string): Tree {
  const document = parseDocument(text, { schema: 'failsafe', logLevel: 'error' })
  const [error] = document.errors
  const tree = error === undefined && isMap(document.contents) ? findValue(document) : undefined
  if (tree !== undefined) return tree as Tree
  const line = error?.linePos?.[0].line
  throw new SecretsError('This file is not the YAML of a secrets bundle: it was cut off or changed.', {
    where: line === undefined ? where : `${where}:${line}`,
    fix: 'Restore the file from version control or a backup.',
  })
}

function readBundle(tree: Tree, missing: string[]): SecretsBundle {
  const need = (path: string) => {
    const value = findText(tree, path)
    if (value === undefined) missing.push(path)
    return value ?? ''
  }
  const pair = (path: string): CertificateAndKey => ({ crt: need(`${path}.crt`), key: need(`${path}.key`) })
  const secretbox = findText(tree, 'secrets.secretboxencryptionsecret')
  const aescbc = findText(tree, 'secrets.aescbcencryptionsecret')
  return {
    cluster: { id: need('cluster.id'), secret: need('cluster.secret') },
    secrets: {
      bootstraptoken: need('secrets.bootstraptoken'),
      ...(aescbc === undefined ? {} : { aescbcencryptionsecret: aescbc }),
      ...(secretbox === undefined ? {} : { secretboxencryptionsecret: secretbox }),
    },
    trustdinfo: { token: need('trustdinfo.token') },
    certs: {
      etcd: pair('certs.etcd'),
      k8s: pair('certs.k8s'),
      k8saggregator: pair('certs.k8saggregator'),
      k8sserviceaccount: { key: need('certs.k8sserviceaccount.key') },
      os: pair('certs.os'),
    },
  }
}

function readMemory(value: unknown): ClusterMemory {
  if (!isTree(value)) return emptyMemory
  const contract = findText(value, 'contract')
  const values = isTree(value.values) ? value.values : {}
  const recovery = findRecovery(value)
  const rotation = findRotation(value)
  const rotated = findRotated(value)
  const boundTo = findBindings((path) => findText(value, path))
  return {
    bootstrapped: value.bootstrapped === 'true',
    ...(value.sealed === 'true' ? { sealed: true } : {}),
    ...(contract === undefined ? {} : { contract }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(rotation === undefined ? {} : { rotation }),
    ...(Object.keys(rotated).length === 0 ? {} : { rotated }),
    ...(Object.keys(boundTo).length === 0 ? {} : { boundTo }),
    values: Object.fromEntries(Object.entries(values).map(([name, text]) => [name, String(text)])),
  }
}

function findRecovery(tree: Tree): Recovery | undefined {
  const [snapshot, stage, run = ''] = ['snapshot', 'stage', 'run'].map((key) => findText(tree, `recovery.${key}`))
  if (snapshot === undefined || stage === undefined || !isRecoveryStage(stage)) return undefined
  const gone = findText(tree, 'recovery.gone')?.split(' ')
  return { snapshot, stage, run, ...(gone === undefined ? {} : { gone }) }
}

/** As written: every value is text. */
export function recoveryTree({ snapshot, stage, run, gone = [] }: Recovery): Tree {
  return { snapshot, stage, run, ...(gone.length === 0 ? {} : { gone: gone.join(' ') }) }
}

function findRotation(tree: Tree): Rotation | undefined {
  const [what, phase, run = ''] = ['what', 'phase', 'run'].map((key) => findText(tree, `rotation.${key}`))
  if (what === undefined || phase === undefined || !isRotationTarget(what) || !isRotationPhase(phase)) return undefined
  const [crt, key] = ['crt', 'key'].map((name) => findText(tree, `rotation.other.${name}`))
  const other = key === undefined ? undefined : { ...(crt === undefined ? {} : { crt }), key }
  return { what, phase, run, ...findNotes(tree), ...(other === undefined ? {} : { other }) }
}

function findRotated(tree: Tree): RotatedKeys {
  const found = rotationTargets.flatMap((what) => {
    const [generation, phase = '', at = '', by = ''] = ['generation', 'phase', 'at', 'by'].map((name) =>
      findText(tree, `rotated.${what}.${name}`),
    )
    return generation === undefined || !isRotationPhase(phase)
      ? []
      : [[what, { generation: Number(generation), phase, at, by }]]
  })
  return Object.fromEntries(found)
}

function findNotes(tree: Tree): RotationNotes {
  const names = ['podsUntil', 'issuedAt', 'secretsUntil'] as const
  const found = names.flatMap((name) => {
    const text = findText(tree, `rotation.${name}`)
    return text === undefined ? [] : [[name, text]]
  })
  return rotationNotesOf(Object.fromEntries(found))
}

function findText(tree: Tree, path: string): string | undefined {
  let found: unknown = tree
  for (const key of path.split('.')) found = isTree(found) ? found[key] : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** In the order of Talos's own file, whatever the order in memory. */
function orderedBundle({ cluster, secrets, trustdinfo, certs }: SecretsBundle): Tree {
  const { bootstraptoken, aescbcencryptionsecret: aescbc, secretboxencryptionsecret: secretbox } = secrets
  return {
    cluster: { id: cluster.id, secret: cluster.secret },
    secrets: {
      bootstraptoken,
      ...(aescbc === undefined ? {} : { aescbcencryptionsecret: aescbc }),
      ...(secretbox === undefined ? {} : { secretboxencryptionsecret: secretbox }),
    },
    trustdinfo: { token: trustdinfo.token },
    certs: {
      etcd: orderedPair(certs.etcd),
      k8s: orderedPair(certs.k8s),
      k8saggregator: orderedPair(certs.k8saggregator),
      k8sserviceaccount: { key: certs.k8sserviceaccount.key },
      os: orderedPair(certs.os),
    },
  }
}

function orderedPair({ crt, key }: CertificateAndKey): CertificateAndKey {
  return { crt, key }
}

function orderedMemory(memory: ClusterMemory): Tree {
  const { bootstrapped, sealed, contract, recovery, rotation, rotated, boundTo = {}, values } = memory
  return {
    bootstrapped,
    ...(sealed ? { sealed } : {}),
    ...(contract === undefined ? {} : { contract }),
    ...(recovery === undefined ? {} : { recovery: recoveryTree(recovery) }),
    ...(rotation === undefined ? {} : { rotation }),
    ...(rotated === undefined ? {} : { rotated }),
    ...Object.fromEntries(Object.entries(boundTo).map(([name, bound]) => [name, { bound_to: boundToTree(bound) }])),
    values,
  }
}
