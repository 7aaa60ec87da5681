import type { Piece } from './pieces.js'

/** What the config of a machine is rendered for. */
interface Versions {
  readonly talos: string
  readonly kubernetes: string
}

/** Another installer or image than ours: a new machine must not get it. */
export function isImage({ path }: Pick<Piece, 'path'>): boolean {
  return path.at(-1) === 'image' || path.join('.').startsWith('machine.install')
}

/** An image with the version of the machine follows an upgrade; a fixed one would keep it from any. */
export function withVersionsOf(piece: Piece, { talos, kubernetes }: Versions): Piece {
  const { path, value } = piece
  if (path.at(-1) !== 'image' || typeof value !== 'string') return piece
  const [version, variable] = path[1] === 'install' ? [talos, 'talos.version'] : [kubernetes, 'kubernetes.version']
  const tag = `:${version}`
  if (!value.endsWith(tag) && !value.includes(`${tag}-`)) return piece
  return { ...piece, value: value.replace(tag, `:\${${variable}}`), isTemplate: true }
}
