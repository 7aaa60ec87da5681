import type { YAMLError, Document as YamlDocument } from 'yaml'
import { isAlias, isCollection, isMap, isScalar, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml'
import type { Path } from './path.js'
import type { Problem } from './problem.js'
import { explainSyntax } from './syntax.js'

export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly excerpt: string
}

/** One YAML file of the inventory: its data, and the position of each value in the text. */
export interface Source {
  readonly file: string
  /** `undefined` if the text is not YAML or not a mapping. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly problems: readonly Problem[]
  /** The position of a value or its key; if absent, that of its nearest parent. */
  locate(path: Path, at: 'key' | 'value'): Position
}

/** More aliased values than this are an attack or an accident. */
const maxAliasedValues = 100_000

/** Parses the text of one file. Never throws: `problems` has the errors. */
export function parseSource(file: string, text: string): Source {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'error' })
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { file, line, column: col, excerpt: excerptOf(lineOf(text, lines, line), line, col) }
  }
  const complain = (offset: number, message: string, fix: string): Problem => ({
    severity: 'error',
    ...positionAt(offset),
    path: '',
    message,
    fix,
  })
  const problems = document.errors.map((error) => syntaxProblem(error, text, complain))
  const data = problems.some((_, index) => document.errors[index]?.code !== 'DUPLICATE_KEY')
    ? undefined
    : dataOf(document, (message, fix) => problems.push(complain(0, message, fix)))
  return { file, data, problems, locate: (path, at) => positionAt(offsetOf(document.contents, path, at)) }
}

function syntaxProblem(
  error: YAMLError,
  text: string,
  complain: (offset: number, message: string, fix: string) => Problem,
): Problem {
  const { message, fix } = explainSyntax(error, text)
  return complain(error.pos[0], message, fix)
}

function dataOf(
  document: YamlDocument.Parsed,
  complain: (message: string, fix: string) => void,
): Record<string, unknown> | undefined {
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    complain('The file is empty.', 'Write at least `cluster_name: dev` to it; the README has a complete example.')
    return undefined
  }
  if (!isMap(document.contents)) {
    complain('The file is not a mapping.', 'Write `key: value` lines, such as `cluster_name: dev`.')
    return undefined
  }
  try {
    return document.toJS({ maxAliasCount: maxAliasedValues }) as Record<string, unknown>
  } catch {
    complain(
      `The aliases of this file expand to more than ${maxAliasedValues} values, or to something that does not exist.`,
      'Write the values out instead of nesting aliases (`*name`) in each other.',
    )
    return undefined
  }
}

function offsetOf(contents: ParsedNode | null, path: Path, at: 'key' | 'value'): number {
  let node: Node | null = contents
  let offset = node?.range?.[0] ?? 0
  for (const [depth, part] of path.entries()) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === part) : undefined
    const next = pair === undefined ? (isCollection(node) ? node.get(part, true) : undefined) : pair.value
    const key = pair?.key as Node | undefined
    if (pair === undefined && next === undefined) return offset
    const isWanted = depth === path.length - 1
    const place = (isWanted && at === 'key' ? key : (next as Node | null)) ?? key
    offset = place?.range?.[0] ?? offset
    node = isAlias(next) ? null : ((next as Node | null) ?? null)
  }
  return offset
}

function lineOf(text: string, { lineStarts }: LineCounter, line: number): string {
  return text.slice(lineStarts[line - 1] ?? 0, lineStarts[line] ?? text.length)
}

function excerptOf(lineText: string, line: number, column: number): string {
  const content = lineText.replaceAll('\t', ' ').trimEnd()
  if (content === '') return ''
  const start = Math.max(0, Math.min(column - 60, content.length - 100))
  const gutter = `${line} | `
  const caret = ' '.repeat(Math.max(0, column - 1 - start))
  return `${gutter}${content.slice(start, start + 110)}\n${' '.repeat(gutter.length - 2)}| ${caret}^`
}
