import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from './encode.js'
import { formatJson } from './format-json.js'
import type { GoldenCase } from './golden-case.js'
import { type Parts, withoutParts, withParts } from './parts.js'

const folder = join(import.meta.dirname, 'testdata')
export const fileOf = {
  case: (name: string) => join(folder, 'cases', `${name}.json`),
  structure: (name: string) => join(folder, 'structure', `${name}.txt`),
  texts: (name: string) => join(folder, 'texts', `${name}.txt`),
}

type Answer = 'structure' | 'texts'

export const caseNames: readonly string[] = namesIn('cases')

export function namesIn(what: 'cases' | Answer): string[] {
  if (!existsSync(join(folder, what))) return []
  return readdirSync(join(folder, what))
    .map((file) => file.replace(/\.\w+$/, ''))
    .sort()
}

const parts: Parts = new Map()

/** Each call gives objects of its own: no case can change another. */
export function readCase(name: string): GoldenCase {
  return decode(readEncoded(name)) as GoldenCase
}

export function readEncoded(name: string): unknown {
  return withParts(JSON.parse(readFileSync(fileOf.case(name), 'utf8')), readPart)
}

function readPart(name: string): unknown {
  if (parts.has(name)) return parts.get(name)
  const text = join(folder, 'parts', `${name}.txt`)
  const part = existsSync(text)
    ? readFileSync(text, 'utf8')
    : JSON.parse(readFileSync(join(folder, 'parts', `${name}.json`), 'utf8'))
  parts.set(name, part)
  return part
}

export function readAnswer(what: Answer, name: string): string {
  return readFileSync(fileOf[what](name), 'utf8')
}

export function writeAnswer(what: Answer, name: string, text: string): void {
  write(fileOf[what](name), text)
}

/** Writes all cases, encoded; everything that `isShared` stands once for all of them. */
export function writeCases(cases: ReadonlyMap<string, unknown>, isShared: (part: string) => boolean): void {
  const shared: Parts = new Map()
  rmSync(join(folder, 'parts'), { recursive: true, force: true })
  for (const [name, encoded] of cases)
    write(fileOf.case(name), `${formatJson(withoutParts(encoded, isShared, shared))}\n`)
  for (const [name, part] of shared) {
    const file = join(folder, 'parts', name)
    if (typeof part === 'string') write(`${file}.txt`, part)
    else write(`${file}.json`, `${formatJson(part)}\n`)
  }
}

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}
