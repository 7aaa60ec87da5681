import { expect, test } from 'vitest'
import { errorText } from './error.js'
import { createLines } from './lines.js'
import { printable } from './printable.js'
import { textStyle } from './text-style.js'

const evil = 'dev\u001b[1A\u001b[2K\u009b31mcp-1\r\u202e'

test('what a terminal would follow is shown, not sent', () => {
  expect(printable(evil)).toBe('dev·[1A·[2K·31mcp-1··')
  expect(printable('two\nlines\tand ümläuts ✓')).toBe('two\nlines\tand ümläuts ✓')
})

test('no reporter passes control characters on', () => {
  const written: string[] = []
  const show = createLines((text) => void written.push(text), textStyle({}, {}))
  show({ type: 'run.noted', at: new Date(0).toISOString(), severity: 'info', text: evil })
  show({ type: 'step.failed', at: new Date(0).toISOString(), step: evil, problem: evil, where: evil, fix: evil })
  written.push(errorText(new Error(evil), textStyle({}, {})))
  for (const unsafe of ['\u001b', '\u009b', '\r', '\u202e']) expect(written.join('')).not.toContain(unsafe)
})
