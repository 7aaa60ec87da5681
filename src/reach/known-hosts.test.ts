import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { fingerprintOf, judgeHostKey, knownKeyTypes, parseKnownHosts } from './known-hosts.js'

function keyOf(type: string, rest: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(type.length)
  return Buffer.concat([length, Buffer.from(type), Buffer.from(rest)])
}

const key = keyOf('ssh-ed25519', 'the right one')
const other = keyOf('ssh-ed25519', 'another one')
const line = (hosts: string, of = key, marker = '') =>
  `${marker}${hosts} ssh-ed25519 ${of.toString('base64')} a comment`

function hashed(name: string): string {
  const salt = Buffer.from('0123456789abcdefghij')
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}

test.each([
  { file: line('jump.example'), verdict: 'known', because: 'the name and key are there' },
  { file: line('10.0.0.1,jump.example'), verdict: 'known', because: 'it is one of several names' },
  { file: line('*.example'), verdict: 'known', because: 'a pattern fits' },
  { file: line('jump.exampl?'), verdict: 'known', because: 'a question mark is one letter' },
  { file: line(hashed('jump.example')), verdict: 'known', because: 'the hashed name fits' },
  { file: line('*.example,!jump.example'), verdict: 'unknown', because: 'the pattern excludes it' },
  { file: line('[jump.example]:2222'), verdict: 'unknown', because: 'that is another port' },
  { file: line('jumpxexample'), verdict: 'unknown', because: 'a dot is a dot' },
  { file: `# ${line('jump.example')}`, verdict: 'unknown', because: 'it is a comment' },
  {
    file: line('jump.example', key, '@cert-authority '),
    verdict: 'unknown',
    because: 'an authority vouches for others',
  },
  { file: line('jump.example', key, '@strange '), verdict: 'unknown', because: 'the marker is not understood' },
  { file: line('jump.example', other), verdict: 'changed', because: 'another key is known for it' },
  {
    file: `${line('jump.example')}\n${line('jump.example', key, '@revoked ')}`,
    verdict: 'revoked',
    because: 'a revocation wins',
  },
  {
    file: `${line('jump.example', other)}\n${line('jump.example')}`,
    verdict: 'known',
    because: 'a host may have several keys',
  },
])('$verdict, because $because', ({ file, verdict }) => {
  expect(judgeHostKey(parseKnownHosts(file, 'known_hosts'), 'Jump.Example', 22, key).is).toBe(verdict)
})

test('the place of a changed key is reported, and a port stands with the host', () => {
  const known = parseKnownHosts(`\n${line('[jump.example]:2222', other)}`, '/home/me/.ssh/known_hosts')
  expect(judgeHostKey(known, 'jump.example', 2222, key)).toEqual({
    is: 'changed',
    where: '/home/me/.ssh/known_hosts:2',
  })
})

test('the types that are known for a host are those to ask it for', () => {
  const known = parseKnownHosts(`${line('jump.example')}\n${line('elsewhere').replace('ed25519', 'rsa')}`, 'f')
  expect(knownKeyTypes(known, 'jump.example', 22)).toEqual(['ssh-ed25519'])
})

test('a fingerprint reads as ssh-keygen prints it', () => {
  expect(fingerprintOf(key)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
})
