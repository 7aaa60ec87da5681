import type { Dialer } from '../../reach/dialer.js'
import { createDirectDialer } from '../../reach/direct.js'
import { JsonTooLarge, parseJson } from '../../reach/parse-json.js'
import type { Trust } from '../../reach/tls.js'
import type { Clock } from '../../world.js'
import { FactoryError } from './factory-error.js'
import { askFactory, type FactoryAnswer, openFactory } from './factory-http.js'
import type { FactoryPort } from './port.js'
import { type Schematic, schematicId, schematicYaml } from './schematic.js'

/** The Image Factory at this address, public or private. */
export function connectFactory(options: { url: string; dialer?: Dialer; clock: Clock; trust?: Trust }): FactoryPort {
  const { dialer = createDirectDialer(), clock, trust = {} } = options
  const http = { dialer, clock, trust }
  const base = options.url.replace(/\/+$/, '')
  const ask = (method: 'GET' | 'HEAD', url: string, signal: AbortSignal) => askFactory(http, { method, url }, signal)
  const getList = async (path: string, signal: AbortSignal): Promise<unknown[]> => {
    const url = `${base}${path}`
    const parsed = readJson(await ask('GET', url, signal), url)
    if (Array.isArray(parsed)) return parsed
    throw notAFactory(url, 'something that is not a list')
  }
  return {
    register: async (schematic, signal) => {
      const url = `${base}/schematics`
      const answer = await askFactory(http, { method: 'POST', url, body: schematicYaml(schematic) }, signal)
      return checkedId(readJson(answer, url), schematic, url)
    },
    size: async (url, signal) => {
      const answer = await ask('HEAD', url, signal)
      if (answer.status === 200 && answer.size > 0 && !answer.isHtml) return answer.size
      if (answer.status === 200) throw notAFactory(url, answer.isHtml ? 'a web page' : 'no size')
      throw refusal(await ask('GET', url, signal), url)
    },
    versions: async (signal) => (await getList('/versions', signal)).map(String),
    extensions: async (version, signal) => {
      const path = `/version/${version.startsWith('v') ? version : `v${version}`}/extensions/official`
      return (await getList(path, signal)).map((entry) => String((entry as { name?: unknown }).name))
    },
    download: async (url, signal) => {
      const { body, ...answer } = await openFactory(http, { method: 'GET', url }, signal)
      if (answer.status === 200 && !answer.isHtml) return { size: answer.size, bytes: body }
      await body.return(undefined)
      throw refusal(answer, url)
    },
  }
}

function readJson(answer: FactoryAnswer, url: string): unknown {
  if (answer.isHtml || answer.status >= 300) throw refusal(answer, url)
  try {
    return parseJson(answer.text)
  } catch (thrown) {
    throw notAFactory(url, thrown instanceof JsonTooLarge ? 'too much' : 'something that is not JSON')
  }
}

function checkedId(answer: unknown, schematic: Schematic, url: string): string {
  const id = (answer as { id?: unknown }).id
  if (typeof id !== 'string' || !/^[0-9a-f]{64}$/.test(id)) throw notAFactory(url, 'no schematic id')
  const expected = schematicId(schematic)
  if (id === expected) return id
  throw new FactoryError(`The factory gives this schematic the id ${id}, and ichor computed ${expected}.`, {
    where: url,
    fix: `Set talos.schematic to ${id}, and report the difference.`,
  })
}

/** The factory's error for an image that it cannot build: one line of plain text. */
function refusal({ status, isHtml, text }: FactoryAnswer, url: string): FactoryError {
  if (isHtml) return notAFactory(url, 'a web page')
  const firstLine = text.trim().split('\n')[0] ?? ''
  const because = firstLine === '' ? '' : `: ${firstLine.slice(0, 300)}`
  return new FactoryError(`The Image Factory refused with status ${status}${because}`, {
    where: url,
    fix: fixes[status] ?? 'Check the Talos version, the extensions and the kernel arguments of the inventory.',
  })
}

const fixes: Readonly<Record<number, string>> = {
  401: 'This factory requires a login, which ichor does not support.',
  402: 'This is sold with the factory; use an image or a checksum of your own.',
  404: 'Check the Talos version. A schematic must be registered before its images exist.',
}

function notAFactory(url: string, what: string): FactoryError {
  return new FactoryError(`The Image Factory answered with ${what}.`, {
    where: url,
    fix: 'Check talos.factory_url: a proxy, a login page or another server may answer there.',
  })
}
