import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, expectSame, type TofuCheck } from './tofu-lab.js'

const machines = {
  'recipe-cp-1': { host: 'pve1', vmid: 401, address: '10.0.10.101/24' },
  'recipe-cp-2': { host: 'pve2', vmid: 402, address: '10.0.10.102/24' },
  'recipe-wk-1': { host: 'pve3', vmid: 501, address: '10.0.10.103/24' },
}

/** The usual recipe: images by download, VMs with addresses by cloud-init, started. */
export function recipeChecks({ here }: { here: string }): TofuCheck[] {
  return [
    {
      title: 'a recipe is applied, and its machines wait for a config at their addresses',
      run: async ({ copy, tofu, lab, image }) => {
        const folder = copy(join(here, 'recipe'), 'recipe')
        const variables = { image_url: image, machines, gateway: '10.0.10.254' }
        writeFileSync(join(folder, 'terraform.tfvars.json'), JSON.stringify(variables))
        await tofu(folder).run('init', '-input=false')
        await tofu(folder).run('apply', '-auto-approve', '-input=false')
        const waiting = () =>
          lab.talos
            .machines()
            .filter(({ stage }) => stage === 'maintenance')
            .map(({ name, addresses }) => `${name} ${addresses.join(' ')}`)
            .sort()
        const wanted = Object.entries(machines).map(([name, { address }]) => `${name} ${address.split('/')[0]}`)
        await eventually(`${wanted.join(', ')} wait`, () => waiting().join() === wanted.join()).catch((error) => {
          throw new Error(`${error}; ${JSON.stringify(lab.talos.machines())}`)
        })
      },
    },
    {
      title: 'a second plan finds no difference',
      run: async ({ tofu, work }) => expectSame('the plan', await tofu(join(work, 'recipe')).difference(), undefined),
    },
    {
      title: 'another gateway is applied to every VM, and then is no difference any more',
      run: async ({ tofu, work }) => {
        const recipe = tofu(join(work, 'recipe'))
        await recipe.run('apply', '-auto-approve', '-input=false', '-var', 'gateway=10.0.10.253')
        expectSame('the plan', await recipe.difference('-var', 'gateway=10.0.10.253'), undefined)
        expectSame('the plan', await recipe.difference(), 'Plan: 0 to add, 3 to change, 0 to destroy.')
      },
    },
    {
      title: 'destroy leaves nothing',
      run: async ({ tofu, work, there }) => {
        await tofu(join(work, 'recipe')).run('destroy', '-auto-approve', '-input=false')
        expectSame('what is left', { vms: there().vms, volumes: there().volumes }, { vms: [], volumes: [] })
      },
    },
  ]
}
