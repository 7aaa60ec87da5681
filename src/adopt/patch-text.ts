import { stringify } from 'yaml'
import { groupBy } from '../cluster/lookup.js'
import type { ConfigObject, ConfigValue } from '../talos/config/config-value.js'
import { isConfigList, isConfigObject } from '../talos/config/config-value.js'
import { isSecretField } from '../talos/config/secret-fields.js'
import type { Piece } from './pieces.js'
import { reasonFor } from './reasons.js'

/** A patch file beside the inventory. */
export interface PatchFile {
  /** `patches/cluster.yaml`. */
  readonly path: string
  readonly text: string
  /** It holds keys or passwords in plain text: not for version control. */
  readonly isSecret: boolean
}

/** The files for one level: first what must go, then what is set; secrets apart. */
export function patchFiles(level: string, about: string, pieces: readonly Piece[]): PatchFile[] {
  const removed = pieces.filter(({ how }) => how !== 'set')
  const set = pieces.filter(({ how }) => how !== 'remove')
  const [secret, plain] = [set.filter(holdsSecret), set.filter((piece) => !holdsSecret(piece))]
  const file = (name: string, what: string, some: readonly Piece[], text: (all: readonly Piece[]) => string) =>
    some.length === 0
      ? []
      : [
          {
            path: `patches/${name}.yaml`,
            text: `${commentOf(`${what} ${about}`, some)}${text(some)}`,
            isSecret: some === secret,
          },
        ]
  return [
    ...file(`${level}-removed`, 'Not in the config of', removed, removalText),
    ...file(level, 'In the config of', plain, settingText),
    ...file(`${level}.secret`, 'Secrets in the config of', secret, settingText),
  ]
}

function commentOf(title: string, pieces: readonly Piece[]): string {
  const reasons = [...new Set(pieces.map((piece) => `# ${placeOf(piece)}: ${reasonFor(piece)}`))]
  return `# ${title}, when ichor adopted the cluster.\n${reasons.join('\n')}\n`
}

/** Keys only: a value may be a secret. */
function placeOf({ document, path }: Piece): string {
  const place = path.join('.')
  if (document === 'v1alpha1') return place
  return place === '' ? document : `${document} ${place}`
}

function holdsSecret({ head, path, value }: Piece): boolean {
  const kind = typeof head.kind === 'string' ? head.kind : 'v1alpha1'
  const isSecret = (inner: ConfigValue, at: readonly string[]): boolean => {
    if (isConfigList(inner)) return inner.some((item, index) => isSecret(item, [...at, `[${index}]`]))
    if (isConfigObject(inner)) return Object.entries(inner).some(([key, item]) => isSecret(item, [...at, key]))
    return inner !== null && inner !== '' && isSecretField(kind, at, inner)
  }
  return value !== undefined && isSecret(value, path)
}

function removalText(pieces: readonly Piece[]): string {
  return documentsText(pieces, () => ({ $patch: 'delete' }))
}

function settingText(pieces: readonly Piece[]): string {
  return documentsText(pieces, ({ value = null, isTemplate }) => (isTemplate === true ? value : escaped(value)))
}

function documentsText(pieces: readonly Piece[], content: (piece: Piece) => ConfigValue): string {
  const documents = [...groupBy(pieces, ({ document }) => document).values()].map((ofOne) => {
    const [first] = ofOne
    const tree = ofOne.reduce<ConfigObject>((whole, piece) => placed(whole, piece.path, content(piece)), {})
    return { ...first?.head, ...tree }
  })
  return documents.map((one) => stringify(one, { lineWidth: 0 })).join('---\n')
}

/** Variables of ichor's patches begin with `${`. */
function escaped(value: ConfigValue): ConfigValue {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (isConfigList(value)) return value.map(escaped)
  if (!isConfigObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll('${', () => '$${'), escaped(inner)]),
  )
}

function placed(tree: ConfigObject, path: readonly string[], value: ConfigValue): ConfigObject {
  const [key, ...rest] = path
  if (key === undefined) return isConfigObject(value) ? { ...tree, ...value } : tree
  const inner = tree[key]
  return { ...tree, [key]: rest.length === 0 ? value : placed(isConfigObject(inner) ? inner : {}, rest, value) }
}
