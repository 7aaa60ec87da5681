export interface JsonLimits {
  /** Of lists and objects within each other. */
  readonly maxDepth: number
  /** Of lists, objects and their entries. */
  readonly maxValues: number
}

/** Definitions of resources in Kubernetes are the deepest real answers, with about a hundred levels. */
const ordinary: JsonLimits = { maxDepth: 500, maxValues: 4_000_000 }

/** Parsing it would take many times the memory of its text. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
}

/** An answer of another program, once its size is known: a few bytes of text become a whole object. */
export function parseJson(text: string, limits: JsonLimits = ordinary): unknown {
  refuseLarge(text, limits)
  return JSON.parse(text)
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** One look at each character; what is not JSON is left to the parser. */
function refuseLarge(text: string, { maxDepth, maxValues }: JsonLimits): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === closeList || code === closeObject) depth--
    else if (code === comma) values++
    else if (code === openList || code === openObject) {
      values++
      depth++
    }
    if (depth > maxDepth) throw new JsonTooLarge(`the answer is nested more than ${maxDepth} times`)
    if (values > maxValues) throw new JsonTooLarge(`the answer has more than ${maxValues / 1e6} million values`)
  }
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return text.length
}
