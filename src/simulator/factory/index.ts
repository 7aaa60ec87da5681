import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MediumInfo } from '../guest.js'
import { encodeMedium } from '../medium.js'
import type { LabNetwork } from '../network.js'
import { canonicalText, idOf, readSchematic } from './canonical.js'
import { officialExtensions, officialOverlays, versions } from './catalogue.js'
import { describeImage, describeMedium, FactoryRefusal } from './images.js'
import { type Answer, json, plain, type Surroundings, serve } from './serve.js'

/** The simulated Image Factory. Like the public one it builds only what was registered, and sells no checksums. */
export interface FactorySim {
  /** `http://127.0.0.1:port`. */
  readonly url: string
  /** What an installer image of this factory contains; `undefined` when it could not be pulled. */
  findInstaller(image: string): MediumInfo | undefined
  /** A JSON value from which `createFactorySim` can go on. */
  save(): unknown
  close(): Promise<void>
}

export interface FactorySetup extends Surroundings {
  readonly network: LabNetwork
  /** What `save` gave. */
  readonly saved?: unknown
}

/** Model milliseconds that the first build of an image takes. */
const buildMs = 4000

export async function createFactorySim(setup: FactorySetup): Promise<FactorySim> {
  const schematics = new Map<string, string>(Object.entries(savedSchematics(setup.saved)))
  const built = new Set<string>()
  const get = (id: string) => {
    const text = schematics.get(id)
    if (text === undefined) throw new FactoryRefusal(404, `schematic ID ${JSON.stringify(id)} not found`)
    return text
  }

  const routes: readonly [string, RegExp, (part: string[], body: string) => Answer | Promise<Answer>][] = [
    ['POST', /^\/schematics$/, (_, body) => register(schematics, body)],
    [
      'GET',
      /^\/schematics\/([^/]+)$/,
      ([id = '']) => ({ status: 200, type: 'application/yaml', body: Buffer.from(get(id)) }),
    ],
    [
      'GET',
      /^\/image\/([^/]+)\/([^/]+)\/([^/]+)$/,
      async ([id = '', version = '', path = '']) => {
        const info = describeImage(path, version, id, readSchematic(get(id)))
        const key = `${id}/${info.talos}/${path}`
        if (!built.has(key)) await setup.clock.sleep(buildMs)
        built.add(key)
        return image(info, path)
      },
    ],
    ['GET', /^\/versions$/, () => json(200, versions)],
    [
      'GET',
      /^\/version\/([^/]+)\/extensions\/official$/,
      ([version = '']) => json(200, officialExtensions(knownVersion(version))),
    ],
    [
      'GET',
      /^\/version\/([^/]+)\/overlays\/official$/,
      ([version = '']) => json(200, officialOverlays(knownVersion(version))),
    ],
    ['GET', /^\/(healthz|readyz)$/, () => plain(200, 'ok')],
  ]

  const answer = async (method: string, path: string, body: string): Promise<Answer> => {
    for (const [wanted, form, run] of routes) {
      const match = form.exec(path)
      if (match !== null && (wanted === method || (wanted === 'GET' && method === 'HEAD'))) {
        return run(match.slice(1).map(decodeURIComponent), body)
      }
    }
    return plain(404, '404 page not found')
  }

  const server = createServer(
    (request, response) => void serve(setup, request, response, answer).catch(() => request.socket.destroy()),
  )
  await setup.network.listen(server, '127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    findInstaller: (reference) => findInstaller(reference, get),
    save: () => ({ schematics: Object.fromEntries(schematics) }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function register(schematics: Map<string, string>, body: string): Answer {
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

function image(info: MediumInfo, path: string): Answer {
  const headers = { 'content-disposition': `attachment; filename="${path}"` }
  return { status: 200, type: 'application/octet-stream', body: encodeMedium(info), headers }
}

function knownVersion(version: string): string {
  const withV = version.startsWith('v') ? version : `v${version}`
  if (versions.includes(withV)) return withV
  throw new FactoryRefusal(404, `version ${withV.slice(1)} is not available`)
}

/** `factory.talos.dev/nocloud-installer/<schematic>:v1.13.9`. */
function findInstaller(reference: string, get: (id: string) => string): MediumInfo | undefined {
  const match = /\/(?:(metal|nocloud)-)?installer(-secureboot)?\/([0-9a-f]{64}):(v[^@]+)/.exec(reference)
  if (match === null) return undefined
  const [, platform = 'metal', secure, id = '', version = ''] = match
  try {
    const schematic = readSchematic(get(id))
    return describeMedium({
      version,
      id,
      schematic,
      platform,
      arch: 'amd64',
      secureBoot: secure !== undefined,
      isIso: false,
    })
  } catch {
    return undefined
  }
}

function savedSchematics(saved: unknown): Record<string, string> {
  return (saved as { schematics?: Record<string, string> } | undefined)?.schematics ?? {}
}
