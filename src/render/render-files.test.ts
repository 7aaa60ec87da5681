import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { GiB, MiB } from '../cluster/machine.js'
import { renderFiles } from './render-files.js'
import type { RenderInput } from './render-input.js'
import { aTopology } from './testing/a-topology.js'

const input: RenderInput = {
  environment: 'dev',
  cluster: { name: 'dev', endpoint: 'https://10.0.10.10:6443' },
  nodes: [
    {
      name: 'dev-cp-1',
      role: 'controlplane',
      pool: 'controlplane',
      host: 'pve1',
      vmid: 2000,
      cpu: 4,
      memory: 8192 * MiB,
      disk: 40 * GiB,
      mac: 'BC:24:11:00:00:0A',
      ip: '10.0.10.11',
      config: 'machine: {type: controlplane}\n',
    },
    {
      name: 'dev-gpu-1',
      role: 'worker',
      pool: 'gpu-large',
      host: 'pve2',
      vmid: 3000,
      cpu: 8,
      memory: 16384 * MiB + 1,
      disk: 60 * GiB,
      mac: 'BC:24:11:00:00:0B',
      config: 'machine: {type: worker}\n',
    },
  ],
  talosconfig: 'context: dev\n',
  topology: aTopology(),
}

function contentOf(path: string, from: RenderInput = input): string {
  const file = renderFiles(from).find((one) => one.path === path)
  if (file === undefined) throw new Error(`no ${path}`)
  return String(file.content)
}

test('a config a node, access, and what other tools read, and no secrets unless they are asked for', () => {
  expect(renderFiles(input).map(({ path, mode }) => [path, mode.toString(8)])).toEqual([
    ['talos/generated/dev-cp-1.yaml', '600'],
    ['talos/generated/dev-gpu-1.yaml', '600'],
    ['talosconfig', '600'],
    ['terraform/dev/talos-machines.auto.tfvars.json', '644'],
    ['ansible/dev/inventory.yaml', '644'],
    ['diagram.md', '644'],
    ['diagram.svg', '644'],
  ])
})

test('a config also as a medium, where it is asked for', () => {
  const seed = new Uint8Array([1, 2, 3])
  const files = renderFiles({ ...input, nodes: input.nodes.map((node) => ({ ...node, seed })) })
  expect(files).toContainEqual({ path: 'talos/seeds/dev-cp-1.iso', content: seed, mode: 0o600 })
})

test('a kubeconfig, secrets and the classic layout on request', () => {
  const files = renderFiles({
    ...input,
    kubeconfig: 'kind: Config\n',
    secrets: 'cluster: {}\n',
    classic: { controlPlane: 'a\n', worker: 'b\n' },
  })
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'kubeconfig',
      'secrets.yaml',
      'talos/control-plane.yaml',
      'talos/worker.yaml',
      'talos/secrets.yaml',
    ]),
  )
})

test('the classic layout without secrets and workers has one file', () => {
  const paths = renderFiles({ ...input, classic: { controlPlane: 'a\n' } }).map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('talos/') && !path.includes('generated'))).toEqual([
    'talos/control-plane.yaml',
  ])
})

test('Terraform gets memory in MiB, disks in GiB, and configs by their path', () => {
  const { talos_machines: machines } = JSON.parse(contentOf('terraform/dev/talos-machines.auto.tfvars.json'))
  expect(machines['dev-cp-1']).toEqual({
    vmid: 2000,
    host: 'pve1',
    role: 'controlplane',
    pool: 'controlplane',
    cpu: 4,
    ram: 8192,
    disk: 40,
    ip: '10.0.10.11',
    mac: 'BC:24:11:00:00:0A',
    config: '../../talos/generated/dev-cp-1.yaml',
    seed: '../../talos/seeds/dev-cp-1.iso',
  })
  expect(machines['dev-gpu-1']).toMatchObject({ ip: null, ram: 16385 })
})

test('Ansible gets a group for each pool, with a name that it takes', () => {
  const { all } = parse(contentOf('ansible/dev/inventory.yaml'))
  expect(Object.keys(all.children)).toEqual(['controlplane', 'gpu_large'])
  expect(all.children.controlplane.hosts['dev-cp-1']).toMatchObject({ ansible_host: '10.0.10.11', proxmox_vmid: 2000 })
  expect(all.children.gpu_large.hosts['dev-gpu-1']).not.toHaveProperty('ansible_host')
})

test('the same input gives the same bytes', () => {
  expect(renderFiles(input)).toEqual(renderFiles(structuredClone(input)))
})
