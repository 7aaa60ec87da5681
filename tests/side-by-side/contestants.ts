import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Lab } from '../../src/simulator/index.js'
import { plainSchematic } from '../real-clients/tofu/tofu-lab.js'
import { clusterYaml } from '../support/lab.js'
import type { Contestant } from './measure.js'
import { timedProcess } from './timed-process.js'

const roles = ['cp-1', 'cp-2', 'cp-3', 'wk-1', 'wk-2', 'wk-3']

/** As its users run it: a plan and its apply in one, the state in a file. */
export function withTofu(tools: string) {
  return (lab: Lab, folder: string): Contestant => {
    const recipe = join(folder, 'recipe')
    const { endpoint, ca, tokenId, tokenSecret } = lab.proxmox
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      TF_CLI_CONFIG_FILE: join(tools, 'tofu.rc'),
      TF_IN_AUTOMATION: '1',
      PROXMOX_VE_ENDPOINT: `${endpoint}/`,
      PROXMOX_VE_API_TOKEN: `${tokenId}=${tokenSecret}`,
      SSL_CERT_FILE: join(folder, 'ca.pem'),
    }
    const tofu = (...words: string[]) => timedProcess([join(tools, 'tofu'), ...words, '-no-color'], recipe, env)
    return {
      name: 'OpenTofu, bpg/proxmox',
      prepare: async () => {
        writeFileSync(env.SSL_CERT_FILE, ca)
        cpSync(resolve('tests/real-clients/tofu/recipe'), recipe, { recursive: true })
        const image_url = `${lab.factoryUrl}/image/${await plainSchematic(lab)}/v1.13.9/nocloud-amd64.qcow2`
        writeFileSync(
          join(recipe, 'terraform.tfvars.json'),
          JSON.stringify({ image_url, machines: Object.fromEntries(roles.map(machine)), gateway: '10.0.10.254' }),
        )
        await tofu('init', '-input=false')
      },
      create: () => tofu('apply', '-auto-approve', '-input=false'),
      destroy: () => tofu('destroy', '-auto-approve', '-input=false'),
    }
  }
}

function machine(role: string, index: number) {
  const vmid = index + 401
  return [`side-${role}`, { host: `pve${(index % 3) + 1}`, vmid, address: `10.0.10.${vmid - 300}/24` }] as const
}

/** The same VMs, and the secrets of the cluster with them. */
export function withIchor(_lab: Lab, folder: string, env: NodeJS.ProcessEnv): Contestant {
  const inventory = join(folder, 'inventory')
  const ichor = (...words: string[]) =>
    timedProcess([process.execPath, resolve('dist/bin.js'), ...words, '--lab', '--yes', '-i', inventory], folder, env)
  return {
    name: 'ichor --until vms',
    prepare: async () => {
      mkdirSync(inventory)
      const yaml = clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' })
      writeFileSync(join(inventory, 'cluster.yaml'), yaml)
    },
    create: () => ichor('up', '--until', 'vms'),
    destroy: () => ichor('destroy'),
  }
}
