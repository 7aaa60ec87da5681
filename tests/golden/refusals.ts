import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const source = resolve(import.meta.dirname, '../../src')
const refusing = [
  'plan',
  'rounds',
  'capabilities/firewall',
  'capabilities/high-availability',
  'desired',
  'placement',
  'etcd/never-twice.ts',
]

/** `plan/refusals.ts:46`, for each place where a refusal is made. */
export function refusals(): string[] {
  return refusing.flatMap(filesAt).flatMap((file) =>
    readFileSync(join(source, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (/\.refuse\(|new PlanRefused\(/.test(line) ? [`${file}:${index + 1}`] : [])),
  )
}

function filesAt(path: string): string[] {
  if (path.endsWith('.ts')) return [path]
  return readdirSync(join(source, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => join(path, file))
}

/** Where in `src` the error was made; of several that are shown together, each. */
export function placesOf({ cause, stack = '' }: Error): string[] {
  if (cause instanceof AggregateError) return cause.errors.flatMap(placesOf)
  const places = [...stack.matchAll(/\bsrc\/([\w/-]+\.ts:\d+)/g)].flatMap(([, place]) => place ?? [])
  return places.filter((place) => !place.startsWith('findings/refusals/')).slice(0, 1)
}
