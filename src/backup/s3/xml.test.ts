import { expect, test } from 'vitest'
import { elements, findElement } from './xml.js'

const listing = `<?xml version="1.0"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><KeyCount>2</KeyCount>
<Contents><Key>dev%2Fa</Key><Size>1</Size></Contents>
<Contents type="x"><Key>b &amp; &#x43;&#68;</Key><Size>2</Size></Contents>
<IsTruncated>false</IsTruncated></ListBucketResult>`

test('elements are found by their whole name, with attributes and entities', () => {
  const contents = elements(listing, 'Contents')
  expect(contents.map((entry) => findElement(entry, 'Key'))).toEqual(['dev%2Fa', 'b & CD'])
  expect(findElement(listing, 'Is')).toBeUndefined()
  expect(findElement(listing, 'IsTruncated')).toBe('false')
})

/** Each took minutes with a regular expression, and held the process until its end. */
test.each([
  ['elements that are opened and never closed', '<Contents>'],
  ['elements with attributes that are never closed', '<Contents a="b">'],
  ['tags that never end', '<Contents a '],
  ['names that only begin like it', '<ContentsX>'],
])('a body of many %s is read once', (_, part) => {
  expect(elements(part.repeat(16_000_000 / part.length), 'Contents')).toEqual([])
})

test.each(['&#x110000;', '&#99999999999999999999;', '&#xffffffffffffffffffff;'])(
  'a character %s that does not exist stays as it is written',
  (text) => {
    expect(findElement(`<Key>${text}</Key>`, 'Key')).toBe(text)
  },
)
