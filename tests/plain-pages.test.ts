import { expect, test } from 'vitest'
import { linesWith, writtenFiles } from './support/written-files.js'

/** What no page and no message has any more: people and programs are named, and code does not speak. */
const retiredForReaders =
  /\b(says|said|somebody|nobody|whoever|whom|(no|make|has) room|takes? the place of|one of others|for good|for ever\b|makes? it again|living cluster|at work on|looks? first|continues from here|is well\b)/i

test('pages are written in plain English', () => {
  // A claim of the threat model quotes the title of its test.
  const isQuote = /`(src|tests)\/[^`]+\.test\.ts`/
  const found = linesWith(
    retiredForReaders,
    writtenFiles.filter((file) => !file.startsWith('src/')),
  )
  expect(found.filter((line) => !isQuote.test(line))).toEqual([])
})

test('messages are written in plain English', () => {
  const messages = writtenFiles.filter((file) => /^src\/(?!simulator\/)/.test(file) && !/\.test\.ts$/.test(file))
  const quoted = new RegExp(`(['"\`]).*(${retiredForReaders.source}).*\\1`, 'i')
  expect(linesWith(quoted, messages).filter((line) => !/^[^:]+:\d+: (\/\*|\*|\/\/)/.test(line))).toEqual([])
})
