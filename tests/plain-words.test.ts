import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names that were replaced by the ordinary word of the field. */
const retiredNames =
  /\b(wish|wishOf|\w+Wish|desireNothing|stranger|strangers|suspect|suspects|shelf|lookThinkAskAct|spokesman|WaitedInVain|badWeather|restOfTheDeadMs|askSomebody|silenceOf|Circumstances|surely|hearNotices|stopOrdered|takesOrders)\b/

/** Phrases that make a reader stop. */
const retiredPhrases =
  /\b(anew|in vain|who lives (there|where)|tak(e|es|en|ing) away|is not whole|whole again|choose of|as fast as the wall|give a machine a new body|through the years|the heart|nobody says where|bad weather)\b|\b(told|tells|wants an?)\b|, and \S+ is none\b/i

/** Phrases that no user reads any more; comments may still have them. */
const retiredInMessages =
  /\b(when nobody is there to ask|nobody (knows|can tell|can be let in)|does not tell|whom ichor believes|goes on from (there|what)|in the clear, as|stands? both in|faster than the wall|and the inventory says|goes on from here|whoever asks for it|nobody kept|nobody reports|says otherwise)\b/i

/** What no page and no message has any more: people and programs are named, and code does not speak. */
const retiredForReaders =
  /\b(says|said|somebody|nobody|whoever|whom|(no|make|has) room|takes? the place of|one of others|for good|for ever\b|makes? it again|living cluster|at work on|looks? first|continues from here|is well\b)/i

const files = execFileSync('git', [
  'ls-files',
  '-z',
  'src',
  'docs',
  'decisions',
  'examples',
  'README.md',
  'CHANGELOG.md',
])
  .toString()
  .split('\0')
  .filter((file) => /\.(ts|md|yaml)$/.test(file) && !file.startsWith('src/wire/'))

function linesWith(pattern: RegExp, chosen: readonly string[]): string[] {
  return chosen.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

test('retired names stay out of the code', () => {
  expect(
    linesWith(
      retiredNames,
      files.filter((file) => file.startsWith('src/')),
    ),
  ).toEqual([])
})

test('retired phrases stay out of code, messages and docs', () => {
  expect(
    linesWith(
      retiredPhrases,
      files.filter((file) => !file.endsWith('.test.ts')),
    ),
  ).toEqual([])
})

test('phrases that were replaced in messages do not come back', () => {
  const isComment = /^[^:]+:\d+: (\/\*|\*|\/\/)/
  const found = linesWith(
    retiredInMessages,
    files.filter((file) => !file.endsWith('.test.ts')),
  )
  expect(found.filter((line) => !isComment.test(line))).toEqual([])
})

test('pages are written in plain English', () => {
  // A claim of the threat model quotes the title of its test.
  const isQuote = /`(src|tests)\/[^`]+\.test\.ts`/
  const found = linesWith(
    retiredForReaders,
    files.filter((file) => !file.startsWith('src/')),
  )
  expect(found.filter((line) => !isQuote.test(line))).toEqual([])
})

test('messages are written in plain English', () => {
  const messages = files.filter((file) => /^src\/(?!simulator\/)/.test(file) && !/\.test\.ts$/.test(file))
  const quoted = new RegExp(`(['"\`]).*(${retiredForReaders.source}).*\\1`, 'i')
  expect(linesWith(quoted, messages).filter((line) => !/^[^:]+:\d+: (\/\*|\*|\/\/)/.test(line))).toEqual([])
})
