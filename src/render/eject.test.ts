// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what Terraform and talhelper would take for variables
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { attribute } from './hcl.js'
import type { RenderNode } from './render-input.js'
import { talhelperFiles } from './talconfig.js'
import { terraformImport } from './terraform-import.js'

const options = {
  name: 'dev-wk-1',
  cores: '2',
  scsi0: 'local-lvm:vm-702-disk-0,discard=on,iothread=1,size=32G',
  tpmstate0: 'local-lvm:vm-702-disk-1,version=v2.0',
  ide2: 'none,media=cdrom',
  net0: 'virtio=BC:24:11:00:00:02,bridge=vmbr0,tag=20',
  net1: 'virtio=BC:24:11:00:01:02,bridge=vmbr1,firewall=1',
}

function terraform(more: Readonly<Record<string, string>> = {}, name = 'dev-wk-1'): string {
  const [file] = terraformImport([{ name, vmid: 702, host: 'pve2', options: { ...options, ...more } }], 'v1.13')
  return String(file?.content)
}

test('a VM is imported by host and VMID, with its disks and NICs in order, and is protected', () => {
  const text = terraform()
  expect(text).toContain('to = proxmox_virtual_environment_vm.dev-wk-1\n  id = "pve2/702"')
  expect([...text.matchAll(/mac_address = "(.*)"/g)].map(([, mac]) => mac)).toEqual([
    'BC:24:11:00:00:02',
    'BC:24:11:00:01:02',
  ])
  expect(text).toContain('vlan_id = 20')
  expect(text).toContain('size = 32')
  expect(text.match(/prevent_destroy = true/g)).toHaveLength(2)
})

test('what the import of the provider leaves out is not in the resource, so that no plan adds it', () => {
  expect(terraform({ agent: '0', smbios1: 'uuid=x' })).not.toMatch(/tpm_state|cdrom|agent|smbios/)
})

test('notes of a VM are no template of Terraform', () => {
  expect(attribute('description', 'a "b" ${c} %{d}\n\u0008')).toEqual([
    'description = "a \\"b\\" $${c} %%{d}\\n\\u0008"',
  ])
})

test('a name that is no identifier gets one, which stays unique', () => {
  expect(terraform({}, '1.example.com')).toContain('resource "proxmox_virtual_environment_vm" "vm-1_example_com-702"')
})

const config = `machine:
  type: worker
  token: canary-token
  ca: { crt: canary, key: "" }
  install: { disk: /dev/vda }
  files: [{ path: /etc/x, content: "# a \${HOME} {{ .x }}\\n" }]
cluster: { id: canary, secret: canary, discovery: { enabled: true } }
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: stable
`
const node: RenderNode = {
  name: 'dev-wk-1',
  role: 'worker',
  pool: 'worker',
  host: 'pve2',
  vmid: 702,
  cpu: 2,
  memory: 1,
  disk: 1,
  mac: 'BC:24:11:00:00:02',
  ip: '10.0.10.72',
  config,
}

test('talhelper gets the nodes and patches without the keys of the cluster, and nothing that it would replace', () => {
  const cluster = {
    name: 'dev',
    endpoint: 'https://10.0.10.70:6443',
    talosVersion: 'v1.13.9',
    kubernetesVersion: 'v1.36.3',
  }
  const files = new Map(talhelperFiles(cluster, [node]).map(({ path, content }) => [path, String(content)]))
  expect(parse(files.get('talconfig.yaml') ?? '').nodes).toEqual([
    expect.objectContaining({
      hostname: 'dev-wk-1',
      ipAddress: '10.0.10.72',
      controlPlane: false,
      installDisk: '/dev/vda',
    }),
  ])
  const set = files.get('talhelper/dev-wk-1-set.yaml') ?? ''
  expect(set).not.toContain('canary')
  expect(set).not.toMatch(/#|\{\{|(?<!\$)\$(?!\$)/)
  const asTalhelperReads = parse((set.split('---\n')[0] ?? '').replaceAll('$$', '$'))
  expect(asTalhelperReads.machine.files[0].content).toBe('# a ${HOME} {{ .x }}\n')
  expect(files.get('talhelper/dev-wk-1-removed.yaml')).toContain('"kind": "HostnameConfig"\n"$$patch": "delete"')
})
