import { Code } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ContainerDriver, ContainerdNamespace } from '../../../wire/common/common_pb.js'
import { ApplyConfigurationRequest_Mode as Mode } from '../../../wire/machine/machine_pb.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type TestLab, until } from '../testing/a-lab.js'
import { aNode, bootstrap, collect, stageOf } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster()
})
afterEach(() => lab.close())

const aControlPlane = () => aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
const containerd = { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM }

test('a refused config is answered in the words of the decoder, or of the validation', async () => {
  const node = await aControlPlane()
  const refusal = (text: string) =>
    node.machine.applyConfiguration({ data: Buffer.from(text) }).catch((error: { code: Code; rawMessage: string }) => {
      return [error.code, error.rawMessage]
    })
  expect(await refusal('')).toEqual([Code.InvalidArgument, 'config not found'])
  expect(await refusal('machine:\n  instal: {}\n')).toEqual([
    Code.InvalidArgument,
    'error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:\nmachine.instal',
  ])
  expect(await refusal('---\napiVersion: v1alpha1\nkind: Nothing\nname: a\n')).toEqual([
    Code.InvalidArgument,
    'error decoding document v1alpha1/Nothing/a (line 2): "Nothing" "v1alpha1": not registered',
  ])
  const [code, text] = (await refusal(node.config.replace('id: Y2x1c3Rlcg==', 'id: ""'))) as [Code, string]
  expect(code).toBe(Code.InvalidArgument)
  expect(text).toMatch(/^1 error occurred:\n\t\* .+\n\n$/)
})

test('what a node does not have is named, each in its own way', async () => {
  const node = await aControlPlane()
  await expect(node.state.get({ namespace: 'runtime', type: 'Nothings.talos.dev', id: 'a' })).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: 'resource type "Nothings.talos.dev" is not supported',
  })
  await expect(collect(node.machine.read({ path: '/nothing' }))).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: 'stat /nothing: no such file or directory',
  })
  await expect(node.machine.serviceRestart({ id: 'nothing' })).rejects.toMatchObject({
    code: Code.Unknown,
    rawMessage: 'service "nothing" not defined',
  })
  const pull = async (imageRef: string) => {
    for await (const _ of node.images.pull({ containerd, imageRef }));
  }
  await expect(pull('ghcr.io/siderolabs/nothing:v1.0.0')).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: expect.stringMatching(
      /^error pulling image: 1 error.*: ghcr.io\/siderolabs\/nothing:v1.0.0: not found$/s,
    ),
  })
  await expect(pull('registry.k8s.io/kube-apiserver:nothing')).rejects.toMatchObject({ code: Code.NotFound })
  await pull('registry.k8s.io/kube-apiserver:v1.36.3')
})

test('the only member of an etcd cannot hand its leadership on', async () => {
  const node = await aControlPlane()
  await bootstrap(node)
  await until('it runs', async () => (await stageOf(node)) === 'running')
  await expect(node.machine.etcdForfeitLeadership({})).rejects.toMatchObject({
    code: Code.Unknown,
    rawMessage: 'failed to forfeit leadership: cannot forfeit leadership, only one member',
  })
})

test('the diff of a dry run has its context, secrets and all', async () => {
  const node = await aControlPlane()
  const data = Buffer.from(node.config.replace('token: abcdef.0123456789abcdef', 'token: abcdef.1123456789abcdef'))
  const { messages } = await node.machine.applyConfiguration({ data, dryRun: true, mode: Mode.AUTO })
  const details = messages[0]?.modeDetails ?? ''
  expect(details).toContain('-  token: abcdef.0123456789abcdef\n+  token: abcdef.1123456789abcdef\n   ca:\n     crt: ')
})
