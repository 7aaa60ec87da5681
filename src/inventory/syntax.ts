import type { ErrorCode, YAMLError } from 'yaml'

/** The parser's error codes in words. */
const words: Partial<Record<ErrorCode, { message: string; fix: string }>> = {
  TAB_AS_INDENT: { message: 'This line is indented with a tab.', fix: 'Indent with spaces: YAML does not allow tabs.' },
  BAD_INDENT: {
    message: 'This line is indented differently from its neighbours.',
    fix: 'Give keys of one mapping the same number of spaces.',
  },
  MULTIPLE_DOCS: {
    message: 'The file holds several documents.',
    fix: 'Keep one document in a file: remove the `---` line and everything after it.',
  },
  MISSING_CHAR: {
    message: 'A quote or bracket is opened here and never closed.',
    fix: 'Close it, or quote the whole text.',
  },
  BAD_ALIAS: { message: 'This alias is not a name.', fix: 'Put quotes around a text that begins with `*` or `&`.' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'A mapping begins in the middle of a line.',
    fix: 'Put quotes around a text that holds `: `, or start a new line.',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'This line has no `key: value`.',
    fix: 'Write a colon and a space after the key.',
  },
  UNEXPECTED_TOKEN: {
    message: 'Something here does not belong into YAML.',
    fix: 'Put quotes around the text, or remove the character.',
  },
}

/** A parser error in words, with its fix. */
export function explainSyntax(error: YAMLError, text: string): { message: string; fix: string } {
  if (error.code === 'DUPLICATE_KEY') return duplicateKey(text, error.pos[0])
  const known = words[error.code]
  if (known !== undefined) return known
  return {
    message: `This is not valid YAML: ${(error.message.split('\n')[0] ?? '').replace(/\.$/, '')}.`,
    fix: 'Correct the line; the caret shows where reading stopped.',
  }
}

function duplicateKey(text: string, offset: number): { message: string; fix: string } {
  const key = /^["']?([^"':\n]+)/.exec(text.slice(offset, offset + 100))?.[1]?.trim() ?? 'This key'
  return { message: `${key} is written twice in the same mapping.`, fix: `Keep one ${key} and delete the other.` }
}
