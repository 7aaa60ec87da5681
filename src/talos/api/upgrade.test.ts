import type { ConnectRouter } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { nodeWith, signal, versionRoute } from '../../../tests/support/talos-client.js'
import { ImageService } from '../../wire/machine/image_pb.js'
import { LifecycleService } from '../../wire/machine/lifecycle_pb.js'
import { MachineService } from '../../wire/machine/machine_pb.js'

interface UpgradeStory {
  readonly tag: string
  readonly stage: boolean
  readonly calls: string[]
  readonly by: 'lifecycle' | 'machine'
}

test.each<UpgradeStory>([
  { tag: 'v1.12.11', stage: false, calls: ['machine'], by: 'machine' },
  { tag: 'v1.13.0', stage: false, calls: ['pull', 'lifecycle'], by: 'lifecycle' },
  { tag: 'v1.14.0-rc.1', stage: false, calls: ['pull', 'lifecycle'], by: 'lifecycle' },
  { tag: 'v1.13.9', stage: true, calls: ['machine'], by: 'machine' },
])('a node on $tag (staged: $stage) is upgraded by $by', async ({ tag, stage, calls, by }) => {
  const seen: string[] = []
  const node = await nodeWith((router) => upgradeRoutes(router, tag, seen, 0))
  const lines: string[] = []
  const answer = await node.upgrade('factory/installer:v2', { stage, onProgress: (line) => lines.push(line) }, signal)
  expect(answer).toEqual({ by })
  expect(seen).toEqual(calls)
})

test('an installer that ends badly is a failure although the call ends well', async () => {
  const node = await nodeWith((router) => upgradeRoutes(router, 'v1.13.9', [], 4))
  await expect(node.upgrade('factory/installer:v2', { stage: false }, signal)).rejects.toThrow(
    'the installer ended with 4, after "writing"',
  )
})

function upgradeRoutes(router: ConnectRouter, tag: string, seen: string[], exitCode: number): void {
  router.service(MachineService, {
    ...versionRoute(tag),
    upgrade() {
      seen.push('machine')
      return { messages: [{ ack: 'upgrade request received' }] }
    },
  })
  router.service(ImageService, {
    async *pull() {
      seen.push('pull')
      yield { response: { case: 'name', value: 'factory/installer@sha256:1' } }
    },
  })
  router.service(LifecycleService, {
    async *upgrade() {
      seen.push('lifecycle')
      yield { progress: { response: { case: 'message', value: 'writing' } } }
      yield { progress: { response: { case: 'exitCode', value: exitCode } } }
    },
  })
}

test('an image is pulled by the old call where the new service is missing', async () => {
  const pulled: string[] = []
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      imagePull(request) {
        pulled.push(request.reference)
        return { messages: [{}] }
      },
    }),
  )
  await node.pullImage('kubelet:v1', 'system', signal)
  expect(pulled).toEqual(['kubelet:v1'])
})
