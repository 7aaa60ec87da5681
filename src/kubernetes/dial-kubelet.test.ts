import { expect, test } from 'vitest'
import { aStub } from '../../tests/support/stub.js'
import { dialKubelet } from './dial-kubelet.js'
import { errorFromStatus } from './kubernetes-error.js'
import type { Call, Transport } from './transport.js'

const status = (reason: string, message: string) => ({ kind: 'Status', reason, message })

/** How the attempt ends where the API server answers that. */
async function dial(code: number, body: unknown): Promise<{ call: Call | undefined; ended: string }> {
  let call: Call | undefined
  const transport = aStub<Transport>({
    text: async (asked) => {
      call = asked
      throw errorFromStatus({ ...asked, where: '' }, code, body)
    },
  })
  const ended = await dialKubelet(transport, '10.0.10.10', 'dev-wk-1', new AbortController().signal).then(
    () => 'reached',
    (thrown: Error) => thrown.message,
  )
  return { call, ended }
}

test('an API server dials again for a request that asks for another protocol', async () => {
  const { call } = await dial(404, undefined)
  expect(call?.headers).toMatchObject({ upgrade: 'SPDY/3.1' })
  expect(call?.path).toMatch('/api/v1/nodes/dev-wk-1/proxy/')
})

test.each([
  { what: 'the kubelet does not know the page', code: 404, body: undefined, ended: /^reached$/ },
  {
    what: 'the kubelet has no certificate yet',
    code: 500,
    body: status('InternalError', 'error dialing backend: remote error: tls: internal error'),
    ended: /^reached$/,
  },
  {
    what: 'packets are dropped',
    code: 500,
    body: status('InternalError', 'error dialing backend: dial tcp 10.0.10.20:10250: i/o timeout'),
    ended: /reach the kubelet of dev-wk-1 from 10\.0\.10\.10: .*i\/o timeout/,
  },
  {
    what: 'there is no such node',
    code: 404,
    body: status('NotFound', 'nodes "dev-wk-1" not found'),
    ended: /not found/,
  },
])('$what: $ended', async ({ code, body, ended }) => {
  expect((await dial(code, body)).ended).toMatch(ended)
})
