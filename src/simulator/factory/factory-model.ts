import type { SimClock } from '../core/clock.js'
import type { MediumInfo } from '../core/guest.js'
import { encodeMedium } from '../core/medium.js'
import { canonicalText, idOf, readSchematic } from './canonical.js'
import { officialExtensions, officialOverlays, versions } from './catalogue.js'
import { describeImage, describeMedium, FactoryRefusal } from './images.js'
import { type Answer, json, plain } from './serve.js'

/** The state and responses of the factory, without a socket. */
export interface FactoryModel {
  answer(method: string, path: string, body: string): Promise<Answer>
  findInstaller(image: string): MediumInfo | undefined
  save(): unknown
}

interface State {
  readonly clock: SimClock
  /** Canonical texts by id. */
  readonly schematics: Map<string, string>
  /** Images that were built before, and are served at once. */
  readonly built: Set<string>
}

type Handler = (state: State, parts: readonly string[], body: string) => Answer | Promise<Answer>

/** Model milliseconds for the first build of an image. */
export const buildMs = 4000

const routes: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ['POST', /^\/schematics$/, register],
  ['GET', /^\/schematics\/([^/]+)$/, showSchematic],
  ['GET', /^\/image\/([^/]+)\/([^/]+)\/([^/]+)$/, serveImage],
  ['GET', /^\/versions$/, () => json(200, versions)],
  ['GET', /^\/version\/([^/]+)\/extensions\/official$/, (_, [v = '']) => json(200, officialExtensions(known(v)))],
  ['GET', /^\/version\/([^/]+)\/overlays\/official$/, (_, [v = '']) => json(200, officialOverlays(known(v)))],
  ['GET', /^\/(?:healthz|readyz)$/, () => plain(200, 'ok')],
]

/** A factory that continues from the value of `save`, or starts empty. */
export function createFactoryModel(clock: SimClock, saved?: unknown): FactoryModel {
  const schematics = new Map(Object.entries((saved as { schematics?: Record<string, string> })?.schematics ?? {}))
  const state = { clock, schematics, built: new Set<string>() }
  return {
    answer: async (method, path, body) => {
      for (const [wanted, form, handler] of routes) {
        const match = form.exec(path)
        if (match === null || wanted !== (method === 'HEAD' ? 'GET' : method)) continue
        return handler(state, match.slice(1).map(decodeURIComponent), body)
      }
      return plain(404, '404 page not found')
    },
    findInstaller: (image) => findInstaller(state, image),
    save: () => ({ schematics: Object.fromEntries(schematics) }),
  }
}

function register({ schematics }: State, _: readonly string[], body: string): Answer {
  let canonical: string
  try {
    canonical = canonicalText(readSchematic(body))
  } catch (error) {
    throw new FactoryRefusal(400, error instanceof Error ? error.message : String(error))
  }
  const id = idOf(canonical)
  schematics.set(id, canonical)
  return json(201, { id, schematic: canonical })
}

function showSchematic(state: State, [id = '']: readonly string[]): Answer {
  return { status: 200, type: 'application/yaml', body: Buffer.from(getSchematic(state, id)) }
}

async function serveImage(state: State, [id = '', version = '', path = '']: readonly string[]): Promise<Answer> {
  const info = describeImage(path, version, id, readSchematic(getSchematic(state, id)))
  const key = `${id}/${info.talos}/${path}`
  if (!state.built.has(key)) await state.clock.sleep(buildMs)
  state.built.add(key)
  const headers = { 'content-disposition': `attachment; filename="${path}"` }
  return { status: 200, type: 'application/octet-stream', body: encodeMedium(info), headers }
}

function getSchematic({ schematics }: State, id: string): string {
  const text = schematics.get(id)
  if (text === undefined) throw new FactoryRefusal(404, `schematic ID ${JSON.stringify(id)} not found`)
  return text
}

function known(version: string): string {
  const withV = version.startsWith('v') ? version : `v${version}`
  if (versions.includes(withV)) return withV
  throw new FactoryRefusal(404, `version ${withV.slice(1)} is not available`)
}

/** `factory.talos.dev/nocloud-installer/<schematic>:v1.13.9`. */
function findInstaller(state: State, image: string): MediumInfo | undefined {
  const match = /\/(?:(metal|nocloud)-)?installer(-secureboot)?\/([0-9a-f]{64}):(v[^@]+)/.exec(image)
  if (match === null) return undefined
  const [, platform = 'metal', secure, id = '', version = ''] = match
  try {
    const schematic = readSchematic(getSchematic(state, id))
    const secureBoot = secure !== undefined
    return describeMedium({ version, id, schematic, platform, arch: 'amd64', secureBoot, isIso: false })
  } catch {
    return undefined
  }
}
