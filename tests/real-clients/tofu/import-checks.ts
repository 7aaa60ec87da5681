import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readTalosconfig } from '../../../src/adopt/origins/talosconfig.js'
import { isControlPlane, readTerraformState } from '../../../src/adopt/origins/terraform-state.js'
import { type ImportedVm, terraformImport } from '../../../src/render/terraform-import.js'
import { formatBundle } from '../../../src/secrets/bundle-file.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { readImport } from '../../../src/secrets/import/read-import.js'
import { call } from './call.js'
import { expectSame, type TofuCheck, type TofuLab } from './tofu-lab.js'

const [macByHand, macLikeOurs] = ['BC:24:11:00:00:01', 'BC:24:11:00:00:02']

/** As somebody makes a VM by hand for the ISO, and as ichor makes one. */
const byHand: Readonly<Record<string, string | number>> = {
  name: 'by-hand.example.com',
  cores: 2,
  memory: 4096,
  cpu: 'host,flags=+aes',
  ostype: 'l26',
  scsihw: 'virtio-scsi-single',
  scsi0: 'local-lvm:20,iothread=1,discard=on,ssd=1',
  scsi1: 'local-lvm:8,serial=data,backup=0',
  ide2: 'none,media=cdrom',
  net0: `virtio=${macByHand},bridge=vmbr0,firewall=1`,
  net1: 'virtio=BC:24:11:00:01:01,bridge=vmbr0,tag=20,mtu=1450',
  boot: 'order=scsi0;ide2;net0',
  smbios1: 'uuid=5b1e9d3a-0000-4000-8000-000000000001',
  onboot: 1,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what Terraform would take for a variable
  description: 'made "by" hand: ${it} %{is} mine\nand stays',
  tags: 'talos;alpha',
  agent: 'enabled=0',
  startup: 'order=2,up=30',
  balloon: 0,
}
const likeOurs: Readonly<Record<string, string | number>> = {
  name: 'dev-wk-1',
  cores: 2,
  memory: 4096,
  balloon: 0,
  cpu: 'x86-64-v2-AES',
  ostype: 'l26',
  machine: 'q35',
  bios: 'ovmf',
  scsihw: 'virtio-scsi-pci',
  efidisk0: 'local-lvm:0,efitype=4m,pre-enrolled-keys=0',
  tpmstate0: 'local-lvm:0,version=v2.0',
  scsi0: 'local-lvm:20,discard=on,ssd=1',
  net0: `virtio=${macLikeOurs},bridge=vmbr0`,
  boot: 'order=scsi0',
  serial0: 'socket',
  vga: 'serial0',
  ide2: 'local-lvm:cloudinit',
  ipconfig0: 'ip=10.0.10.55/24,gw=10.0.10.254',
  nameserver: '10.0.10.254',
}

/** What `ichor eject` writes for Terraform. */
export const importChecks: readonly TofuCheck[] = [
  {
    title:
      'the files of eject: a plan imports the VMs and the secrets, changes nothing and destroys nothing; adopt reads the state',
    run: async (lab) => {
      await call(lab, 'POST', '/pools', { poolid: 'theirs' })
      await work(lab, 'pve1', '', { vmid: 901, ...byHand, pool: 'theirs' })
      await work(lab, 'pve2', '', { vmid: 902, ...likeOurs })
      await work(lab, 'pve1', '/901/status/start')
      await work(lab, 'pve2', '/902/status/start')
      const vms = await Promise.all([vmOf(lab, 'by-hand.example.com', 'pve1', 901), vmOf(lab, 'dev-wk-1', 'pve2', 902)])
      const folder = join(lab.work, 'ejected')
      const files = terraformImport(vms, 'v1.9')
      for (const { path, content } of files) write(join(folder, path), String(content))
      const bundle = await generateBundle('v1.9')
      write(join(folder, 'secrets.yaml'), formatBundle(bundle))
      const tofu = lab.tofu(join(folder, 'terraform-import'))
      await tofu.run('init', '-input=false')
      expectSame('the plan', await tofu.difference(), 'Plan: 3 to import, 0 to add, 0 to change, 0 to destroy.')
      await tofu.run('apply', '-auto-approve', '-input=false')
      expectSame('the plan', await tofu.difference(), undefined)

      write(join(folder, 'terraform-import', 'talos.tf'), talos)
      await tofu.run('apply', '-auto-approve', '-input=false')
      const state = await tofu.run('state', 'pull')
      const read = readTerraformState(state, 'the state')
      expectSame('the keys in the state', readImport(state, 'the state').bundle, bundle)
      expectSame(
        'the VMs in the state',
        read.vms.map(({ vmid, host, macs }) => [vmid, host, macs.includes(vmid === 901 ? macByHand : macLikeOurs)]),
        [
          [902, 'pve2', true],
          [901, 'pve1', true],
        ],
      )
      const config = read.configs.map(({ resource, text }) => [resource, isControlPlane(text)])
      expectSame('the configs in the state', config, [['data.talos_machine_configuration.cp', true]])
      expectSame('the control planes in the state', read.nodes, ['10.0.10.71'])
      const wayIn = readTalosconfig(read.talosconfig ?? '', 'the state')
      expectSame('the CA in the state', wayIn.credentials.ca, Buffer.from(bundle.certs.os.crt, 'base64').toString())
      for (const resource of [...read.vms.map((vm) => vm.resource), ...read.talosResources])
        await tofu.run('state', 'rm', resource)
    },
  },
]

/** What the recipes of the Talos provider have beside the keys. */
const talos = `data "talos_machine_configuration" "cp" {
  cluster_name     = "dev"
  machine_type     = "controlplane"
  cluster_endpoint = "https://10.0.10.71:6443"
  machine_secrets  = talos_machine_secrets.this.machine_secrets
}

data "talos_client_configuration" "this" {
  cluster_name         = "dev"
  client_configuration = talos_machine_secrets.this.client_configuration
  endpoints            = ["10.0.10.71"]
}

output "talosconfig" {
  value     = data.talos_client_configuration.this.talos_config
  sensitive = true
}
`

/** A task on a host, to its end. */
async function work(lab: TofuLab, host: string, path: string, form: Readonly<Record<string, string | number>> = {}) {
  const task = await call(lab, 'POST', `/nodes/${host}/qemu${path}`, form)
  for (let look = 0; look < 300; look++) {
    const { status, exitstatus } = (await call(
      lab,
      'GET',
      `/nodes/${host}/tasks/${encodeURIComponent(String(task))}/status`,
    )) as { status: string; exitstatus?: string }
    if (status === 'stopped') return expectSame(`the end of the task ${path} on ${host}`, exitstatus, 'OK')
    await wait(200)
  }
  throw new Error(`the task ${path} on ${host} does not end`)
}

async function vmOf(lab: TofuLab, name: string, host: string, vmid: number): Promise<ImportedVm> {
  const config = await call(lab, 'GET', `/nodes/${host}/qemu/${vmid}/config`)
  const options = Object.fromEntries(Object.entries(config as object).map(([key, value]) => [key, String(value)]))
  return { name, host, vmid, options, pool: vmid === 901 ? 'theirs' : undefined }
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
