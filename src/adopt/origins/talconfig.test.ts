// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of envsubst
import { expect, test } from 'vitest'
import { aFoundMachine } from '../testing/a-found-machine.js'
import { readEnvironment, substituted } from './environment.js'
import { namedFiles, readTalconfig } from './talconfig.js'
import { talconfigDifferences } from './talconfig-differences.js'

const talconfig = `clusterName: home
endpoint: https://10.0.10.70:6443
talosVersion: v1.13.9
kubernetesVersion: 1.36.3
inlineManifests:
  - name: cilium
    contents: "@./cilium.yaml"
patches:
  - |-
    machine: { sysctls: { vm.swappiness: "1" } }
  - "@./kubelet.yaml"
controlPlane:
  patches:
    - |-
      cluster: { apiServer: { admissionControl: { $patch: delete } } }
worker:
  patches:
    - |-
      - { op: add, path: /machine/env, value: { A: canary } }
nodes:
  - { hostname: cp-1, ipAddress: "10.0.10.71, 10.0.20.71", controlPlane: true, installDisk: /dev/sda }
  - { hostname: wk-1, ipAddress: 10.0.10.72, controlPlane: false, patches: ["machine: { nodeLabels: { zone: canary } }"] }
  - { hostname: wk-2, ipAddress: 10.0.10.73, controlPlane: false }
`
const where = 'talconfig.yaml'

test('nodes with their addresses, roles and patches are read, and the files that they name', () => {
  const read = readTalconfig({ talconfig, where })
  expect(read.nodes.map(({ name, addresses, isControlPlane }) => [name, addresses, isControlPlane])).toEqual([
    ['cp-1', ['10.0.10.71', '10.0.20.71'], true],
    ['wk-1', ['10.0.10.72'], false],
    ['wk-2', ['10.0.10.73'], false],
  ])
  expect(namedFiles(read)).toEqual(['./kubelet.yaml', './cilium.yaml'])
})

const controlPlane = aFoundMachine({
  name: 'cp-1',
  role: 'controlplane',
  vmid: 701,
  host: 'pve1',
  mac: 'BC:24:11:00:00:01',
  address: '10.0.10.71',
  config: `machine:
  type: controlplane
  sysctls: { vm.swappiness: "1", vm.nr_hugepages: "1024" }
  kubelet: { image: "ghcr.io/siderolabs/kubelet:v1.36.2", extraArgs: { v: "2" } }
cluster:
  controlPlane: { endpoint: "https://10.0.10.70:6443" }
  inlineManifests: [{ name: cilium, contents: "kind: Namespace" }]
`,
})
const worker = aFoundMachine({
  name: 'worker-b',
  vmid: 702,
  host: 'pve1',
  mac: 'BC:24:11:00:00:02',
  address: '10.0.10.72',
  config: 'machine: { type: worker, sysctls: { vm.swappiness: "1" }, kubelet: { extraArgs: { v: "2" } } }\n',
})
const unlisted = aFoundMachine({
  name: 'wk-9',
  vmid: 709,
  host: 'pve1',
  mac: 'BC:24:11:00:00:09',
  address: '10.0.10.79',
})
const named = {
  './kubelet.yaml': 'machine: { kubelet: { extraArgs: { v: "2" } } }',
  './cilium.yaml': 'kind: Namespace',
}

test('what talconfig says and does not run is listed by place', () => {
  const found = { machines: [controlPlane, worker, unlisted], leftOut: [] }
  const differences = talconfigDifferences({ talconfig, where, generated: {}, named }, found)
  expect(differences).toEqual([
    'cp-1: talconfig.yaml has the Kubernetes v1.36.3, and v1.36.2 runs',
    'worker-b: talconfig.yaml has the name wk-1, and worker-b runs',
    'wk-2: talconfig.yaml has it, and the cluster does not',
    'wk-9: it runs, and talconfig.yaml does not have it',
    'worker-b: patch 4 sets what does not run: machine.nodeLabels.zone',
  ])
  expect(differences.join()).not.toContain('canary')
})

test('a file that talhelper generated and nobody applied is compared with what runs', () => {
  const generated = { 'home-wk-1.yaml': 'machine: { type: worker, sysctls: { vm.swappiness: "10" } }\n' }
  const found = { machines: [worker], leftOut: [] }
  expect(talconfigDifferences({ talconfig, where, generated, named }, found)).toContainEqual(
    expect.stringMatching(/^clusterconfig\/home-wk-1\.yaml: worker-b runs something else in .*machine\.sysctls/),
  )
})

test.each([
  ['$$patch', '$patch'],
  ['a: ${NAME}', 'a: value'],
  ['a: $NAME', 'a: value'],
  ['a: ${NONE:-other}', 'a: other'],
  ['a: ${NONE-other}', 'a: other'],
  ['a: ${NAME:+set}', 'a: set'],
  ['a: "${__proto__:-x}"', 'a: "x"'],
  ['b: 1 # stays', 'b: 1 # stays'],
  ['  # ${MISSING}\nb: 1', '\nb: 1'],
])('%s is substituted as talhelper does', (text, wanted) => {
  expect(substituted(text, { NAME: 'value' }, where)).toBe(wanted)
})

test('a variable that is not set is named, and no value is shown', () => {
  expect(() => substituted('a: ${NAME} ${MISSING} $OTHER', { NAME: 'canary' }, where)).toThrow(
    expect.objectContaining({ message: 'Variables are not set: MISSING, OTHER.' }),
  )
})

test('talenv is read in the forms that talhelper takes', () => {
  const text = '---\nDOMAIN: example.com\nTOKEN="a b" # why\nexport C=\'d\'\n# E: f\nG: h # i\n'
  expect(readEnvironment(text)).toEqual({ DOMAIN: 'example.com', TOKEN: 'a b', C: 'd', G: 'h' })
})

test.each([
  ['no YAML', 'nodes: [', 'not YAML'],
  ['no nodes', 'clusterName: x', 'lists no nodes'],
  [
    'a bomb of aliases',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((letter, index) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefgh'[index]}`).join()}]`)
      .join('\n')}\nnodes: [*i]`,
    'leads nowhere, or to too much',
  ],
])('%s is refused', (_, text, problem) => {
  expect(() => readTalconfig({ talconfig: text, where })).toThrow(problem)
})
