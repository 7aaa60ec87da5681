import { expect, test } from 'vitest'
import { nodeWith, resource, signal } from '../../tests/support/talos-client.js'
import { State } from '../wire/cosi/resource/state_pb.js'
import { reportedByTalos } from './approve-certificate.js'

const uuid = 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a'

/** A node as Talos reports it over its authenticated API. */
const nodeOf = (own: string) =>
  nodeWith((router) =>
    router.service(State, {
      get: ({ id }) => ({
        resource: id === 'routed' ? resource(id, 'addresses: [10.0.10.77/24]') : resource(id, `uuid: ${own}`),
      }),
    }),
  )

test('with DHCP the addresses of a certificate are those that Talos reports of the machine itself', async () => {
  expect(await reportedByTalos(await nodeOf(uuid.toUpperCase()), uuid, signal)).toEqual(['10.0.10.77'])
})

test('another node of the cluster that answers at the address vouches for nothing', async () => {
  const other = '00000000-4c55-8b7f-8ccd-f027daafa86a'
  expect(await reportedByTalos(await nodeOf(other), uuid, signal)).toEqual([])
})
