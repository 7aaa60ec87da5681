import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { createClient, createRouterTransport } from '@connectrpc/connect'
import fc from 'fast-check'
import { openChannel } from '../../../src/talos/api/channel.js'
import { talosNode } from '../../../src/talos/api/node.js'
import type { TalosNode } from '../../../src/talos/api/port.js'
import { State } from '../../../src/wire/cosi/resource/state_pb.js'
import { ImageService } from '../../../src/wire/machine/image_pb.js'
import { LifecycleService } from '../../../src/wire/machine/lifecycle_pb.js'
import { MachineService } from '../../../src/wire/machine/machine_pb.js'
import { bytesAsChoices, randomMessage } from '../random-message.js'
import { defineTarget } from '../target.js'

const signal = new AbortController().signal
const target = { machine: 'dev-cp-1', address: '10.0.10.11' }

/** A node that fills every answer with whatever the input holds. */
function aNode(): { node: TalosNode; say(bytes: Uint8Array, texts: readonly string[]): void } {
  let next = bytesAsChoices(new Uint8Array())
  let texts: readonly string[] = ['']
  const answer = (method: DescMethod) =>
    method.methodKind === 'server_streaming'
      ? async function* () {
          for (let left = next() % 4; left > 0; left--) yield randomMessage(method.output, next, texts)
        }
      : async () => randomMessage(method.output, next, texts)
  const implementation = (service: DescService): Record<string, unknown> =>
    Object.fromEntries(service.methods.map((method) => [method.localName, answer(method)]))
  const transport = createRouterTransport(({ service }) => {
    for (const one of [MachineService, LifecycleService, ImageService, State]) service(one, implementation(one))
  })
  const unused = { authority: 'https://10.0.10.11:50000', close: () => {} }
  const channel = {
    ...openChannel(target, unused as never),
    machine: createClient(MachineService, transport),
    lifecycle: createClient(LifecycleService, transport),
    images: createClient(ImageService, transport),
    state: createClient(State, transport),
  }
  return {
    node: talosNode(channel),
    say: (bytes, words) => {
      next = bytesAsChoices(bytes)
      texts = words
    },
  }
}

async function all(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** Every question that ichor asks of a node. */
function questionsTo(node: TalosNode): (() => unknown)[] {
  const { etcd, resources } = node
  return [
    () => node.version(signal),
    () => node.applyConfiguration('a: b', { mode: 'auto' }, signal),
    () => node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal),
    () => node.services(signal),
    () => node.memory?.(signal),
    () => node.upgrade('installer:v1', { stage: false }, signal),
    () => node.pullImage('installer:v1', 'system', signal),
    () => all(node.logs({ service: 'etcd', namespace: 'system', follow: false, tailLines: 3 }, signal)),
    () => etcd.members({ local: false }, signal),
    () => etcd.status(signal),
    () => etcd.alarms(signal),
    () => all(etcd.snapshot(signal)),
    () => resources.machineConfig(signal),
    () => resources.machineStatus(signal),
    () => resources.systemUuid(signal),
    () => resources.find('Links.net.talos.dev', 'network', 'eth0', signal),
    () => resources.list('Links.net.talos.dev', 'network', signal),
  ]
}

const yaml = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'stage: running\nstatus: {ready: true}',
    '- 1',
    '{',
    'a: [',
    '&a *a',
    'uuid: 1',
    '!!binary x',
    'null',
  ),
  fc.string({ maxLength: 12 }),
)

export const talosAnswers = defineTarget({
  name: 'talos-answers',
  share: 0.3,
  prepare: async () => {
    const { node, say } = aNode()
    const questions = questionsTo(node)
    return {
      inputs: fc.tuple(fc.nat(1000), fc.uint8Array({ maxLength: 60 }), fc.array(yaml, { minLength: 1, maxLength: 4 })),
      read: ([which, bytes, texts]) => {
        say(bytes, texts)
        return questions[which % questions.length]?.()
      },
    }
  },
})
