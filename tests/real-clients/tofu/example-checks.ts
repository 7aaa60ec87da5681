import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from './call.js'
import { eventually, expectSame, type TofuCheck, type TofuLab } from './tofu-lab.js'

const inventory = `cluster_name: dev
talos_version: v1.13.9
control_plane_count: 1
worker_count: 1
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
proxmox: { endpoint: "https://10.0.10.1:8006", target_nodes: [pve1, pve2], datastore: local-lvm, bridge: vmbr0 }
sizing:
  control_plane: { cpu: 2, ram: 4GiB, disk: 20G }
  worker: { cpu: 2, ram: 4GiB, disk: 20G }
secrets: plain
`

/** What examples/terraform/README.md says, command by command. */
export function exampleChecks({ root }: { root: string }): TofuCheck[] {
  const folderOf = ({ work }: TofuLab) => join(work, 'build', 'terraform', 'dev')
  return [
    {
      title: 'examples/terraform: render, init and apply as its README says; the machines have their configs',
      run: async (lab) => {
        prepare(lab.work, root)
        await Promise.all(['pve1', 'pve2'].map((host) => download(lab, host)))
        await lab.tofu(folderOf(lab)).run('init', '-input=false')
        await lab.tofu(folderOf(lab)).run('apply', '-auto-approve', '-input=false')
        const configured = () =>
          lab.lab.talos
            .machines()
            .filter(({ stage }) => stage === 'running' || stage === 'booting')
            .map(({ hostname, addresses }) => `${hostname} ${addresses[0]}`)
            .sort()
        const wanted = ['dev-cp-1 10.0.10.10', 'dev-wk-1 10.0.10.20']
        await eventually(`${wanted.join(', ')} run`, () => configured().join() === wanted.join())
      },
    },
    {
      title: 'examples/terraform: a second plan finds no difference',
      run: async (lab) => expectSame('the plan', await lab.tofu(folderOf(lab)).difference(), undefined),
    },
    {
      title: 'examples/terraform: without seeds, and no difference afterwards',
      run: async (lab) => {
        const { run, difference } = lab.tofu(folderOf(lab))
        await run('apply', '-auto-approve', '-input=false', '-var', 'has_seeds=false')
        expectSame(
          'seeds',
          lab.there().volumes.filter((volume) => volume.includes(':iso/')),
          [],
        )
        expectSame('the plan', await difference('-var', 'has_seeds=false'), undefined)
      },
    },
    {
      title: 'examples/terraform: destroy leaves nothing but the image',
      run: async (lab) => {
        await lab.tofu(folderOf(lab)).run('destroy', '-auto-approve', '-input=false', '-var', 'has_seeds=false')
        const image = 'local:import/talos-nocloud-amd64.qcow2'
        const { vms, volumes } = lab.there()
        expectSame('what is left', { vms, volumes }, { vms: [], volumes: [`pve1 ${image}`, `pve2 ${image}`] })
      },
    },
  ]
}

function prepare(work: string, root: string): void {
  const folder = join(work, 'inventory', 'dev')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cluster.yaml'), inventory)
  const env = { PATH: process.env.PATH ?? '', HOME: work, XDG_STATE_HOME: work, XDG_CONFIG_HOME: work }
  const ichor = (...args: string[]) =>
    execFileSync(process.execPath, [join(root, 'dist', 'bin.js'), ...args], { cwd: work, env, stdio: 'pipe' })
  ichor('secrets', 'init', '-i', 'inventory/dev')
  ichor('render', '-i', 'inventory/dev', '--out', 'build', '--seeds')
  for (const name of ['modules', 'dev'])
    cpSync(join(root, 'examples', 'terraform', name), join(work, 'build', 'terraform', name), { recursive: true })
}

/** The image, as the README asks for it before the first run: by the web interface, so by a plain call of the API. */
async function download({ lab, image }: TofuLab, host: string): Promise<void> {
  const form = { content: 'import', filename: 'talos-nocloud-amd64.qcow2', url: image }
  await call({ lab }, 'POST', `/nodes/${host}/storage/local/download-url`, form)
  await eventually(`${host} has the image`, () =>
    Object.values(lab.save().proxmox.state.volumes).some(
      (volume) => volume.host === host && volume.volid.endsWith('talos-nocloud-amd64.qcow2'),
    ),
  )
}
