import { expect, test } from 'vitest'
import { ProxmoxError } from '../../model/proxmox-error.js'
import { interpret } from './answer.js'
import type { Endpoint } from './endpoints.js'

const endpoint = { name: 'pve1:8006' } as Endpoint
const call = { method: 'GET', path: '/cluster/resources' } as const
const answer = (text: string) => ({
  status: 200,
  reason: 'OK',
  contentType: 'application/json',
  body: Buffer.from(text),
})
const read = (text: string) => interpret(call, { endpoint, answer: answer(text) })

/** As `/cluster/resources` lists one, in short. */
const guest =
  '{"type":"qemu","vmid":1,"node":"a","cpu":0,"mem":0,"disk":0,"maxcpu":1,"maxmem":1,"maxdisk":1,"uptime":0}'

test.each([
  ['lists within each other', `{"data":${'['.repeat(8_000_000)}`],
  ['400,000 guests', `{"data":[${Array.from({ length: 400_000 }, () => guest).join(',')}]}`],
])('an answer with %s is refused, and the error says what it is', (_, text) => {
  const thrown = (() => {
    try {
      return read(text)
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toBeInstanceOf(ProxmoxError)
  expect((thrown as ProxmoxError).message).toMatch(/not one of the Proxmox API|nested|values/)
  expect(JSON.stringify(thrown)).toMatch(/nested more than 500 times|more than 4 million values/)
})

test('the guests of the largest sites are read', () => {
  const { data } = read(`{"data":[${Array.from({ length: 20_000 }, () => guest).join(',')}]}`)
  expect(data).toHaveLength(20_000)
})
