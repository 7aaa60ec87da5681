import { expect, test } from 'vitest'
import { allWrittenFiles, linesWith, writtenFiles } from './support/written-files.js'

/** Names that were replaced by the ordinary word of the field, also as a part of a longer name. */
const retiredNames =
  /(?<![a-zA-Z])(wish|stranger|suspect|shelf|spokesman|circumstances|surely|told)(?![a-z])|[a-z](Wish|Stranger|Suspect|Shelf|Spokesman|Somebody|Nobody|Whoever|Anybody|Surely|Told|Anew|InVain|Circumstances)(?![a-z])|\b(desireNothing|lookThinkAskAct|badWeather|restOfTheDeadMs|hearNotices|takesOrders|aFewAtOnce|withShortMemory|isWhole|LockedBits|letItWork|isUnheard|keepTidy|createHandedOut)\b/

/** What was replaced in names: by max and min, fault, repair or heal, roll back, artifacts and pinned digests, datacenter. */
const replacedWords =
  /\bmost(?!Common)[A-Z]|\bfewest[A-Z]|\bleast(?!Used)[A-Z]|[a-z](Mend(s|ed)?|Strikes?|Spoil|Obey|TakeBack)(?![a-z])|\b(mend(s|ed|ing)?|strikes?|spoil(s|t)?|obey(s|ed)?|take-?[bB]ack|tak(e|es|en|ing) back|(locked|other)[ -]?[bB]its)\b|\bdata ?centres?\b|\bdata centers?\b/

/** Phrases that make a reader stop. */
const retiredPhrases =
  /\b(anew|in vain|who lives (there|where)|tak(e|es|en|ing) away|is not whole|whole again|choose of|as fast as the wall|give a machine a new body|through the years|the heart|nobody says where|bad weather)\b|\b(told|tells|wants an?)\b|\b(?!there)[\w%]+ is none\b/i

/** Phrases that no user reads any more; comments may still have them. */
const retiredInMessages =
  /\b(when nobody is there to ask|nobody (knows|can tell|can be let in)|does not tell|whom ichor believes|goes on from (there|what)|in the clear, as|stands? both in|faster than the wall|and the inventory says|goes on from here|whoever asks for it|nobody kept|nobody reports|says otherwise)\b/i

/** Words that left names, comments and messages of `src`: people and programs are named, and code does not speak. */
const retiredInSource = /\b(nobody|somebody|whoever|anybody|everybody|says|said|thereby|whence|spokesman)\b/i

test('retired names stay out of the code', () => {
  expect(
    linesWith(
      retiredNames,
      allWrittenFiles.filter((file) => !file.endsWith('.md')),
    ),
  ).toEqual([])
})

test('retired phrases stay out of code, tests, scripts, messages, pages and decisions', () => {
  expect(linesWith(retiredPhrases, allWrittenFiles)).toEqual([])
})

test('words that were replaced in names stay replaced everywhere, also inside longer names', () => {
  const files = allWrittenFiles.filter((file) => file !== 'CHANGELOG.md')
  expect(linesWith(replacedWords, files)).toEqual([])
})

test('phrases that were replaced in messages do not come back', () => {
  const isComment = /^[^:]+:\d+: (\/\*|\*|\/\/)/
  const found = linesWith(
    retiredInMessages,
    writtenFiles.filter((file) => !file.endsWith('.test.ts')),
  )
  expect(found.filter((line) => !isComment.test(line))).toEqual([])
})

test('source code is written in plain English', () => {
  const source = allWrittenFiles.filter((file) => /^src\/.*(?<!\.test)\.tsx?$/.test(file))
  expect(linesWith(retiredInSource, source)).toEqual([])
})
