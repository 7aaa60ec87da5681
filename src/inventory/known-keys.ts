import { z } from 'zod'
import { findNearest } from '../nearest.js'
import { formatPath, type Path } from './path.js'
import { documentSchema } from './schema.js'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
  readonly anyOf?: readonly Shape[]
}

let cached: Shape | undefined
function root(): Shape {
  cached ??= z.toJSONSchema(documentSchema, { io: 'input' }) as Shape
  return cached
}

/** Keys that the mapping at this place may have. */
function knownKeys(path: Path): string[] {
  const shapes = path.reduce<Shape[]>((parents, part) => parents.flatMap((shape) => step(shape, part)), [root()])
  return shapes.flatMap(variants).flatMap((shape) => Object.keys(shape.properties ?? {}))
}

/** Words of other tools for our keys. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  memory: ['ram'],
  mem: ['ram'],
  cores: ['cpu'],
  vcpu: ['cpu'],
  vcpus: ['cpu'],
  cpus: ['cpu'],
  storage: ['datastore', 'disk'],
  address: ['ip'],
  ip_address: ['ip'],
  node: ['host'],
  hostname: ['name'],
  pod_subnet: ['pod_cidr'],
  service_cidr: ['svc_cidr'],
  nameservers: ['dns'],
  masters: ['controlplane'],
  control_planes: ['controlplane'],
}

/** What an unknown key most likely means: a key of the same mapping, or the same word elsewhere. */
export function suggestKey(parent: Path, key: string): string | undefined {
  const known = knownKeys(parent)
  const word = key.toLowerCase()
  const words = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined
  const meant = words?.find((one) => known.includes(one))
  const sibling = meant ?? findNearest(key, known)
  if (sibling !== undefined) return formatPath([...parent, sibling])
  return placesOf(root(), key, [])[0]
}

function step(shape: Shape, part: string | number): Shape[] {
  return variants(shape).flatMap((variant) => {
    if (typeof part === 'number') return variant.items === undefined ? [] : [variant.items]
    const { properties = {} } = variant
    const property = Object.hasOwn(properties, part) ? properties[part] : undefined
    if (property !== undefined) return [property]
    return typeof variant.additionalProperties === 'object' ? [variant.additionalProperties] : []
  })
}

function variants(shape: Shape): Shape[] {
  return [shape, ...(shape.anyOf ?? []).flatMap(variants)]
}

/** Mappings outside lists in which this exact key exists. */
function placesOf(shape: Shape, key: string, path: Path): string[] {
  const own = shape.properties ?? {}
  const here = path.length > 0 && Object.hasOwn(own, key) ? [formatPath([...path, key])] : []
  return [...here, ...Object.entries(own).flatMap(([name, inner]) => placesOf(inner, key, [...path, name]))]
}
