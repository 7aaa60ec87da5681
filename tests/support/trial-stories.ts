import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { anInventoryFolder, aStage, clusterYaml, type Stage, type UpOptions } from './lab.js'

const plain = clusterYaml({ controlPlanes: 1, workers: 1, extra: 'secrets: plain\n' })
/** The first NIC of every machine is to be on VLAN 20. */
const onVlan20 = plain.replace('datastore: local-lvm', 'datastore: local-lvm\n  vlan_id: 20')
const secretsFile = 'secrets.lab.yaml'
const speed = 500

/** A cluster that stands, from before its network changes. */
export interface Standing {
  readonly lab: ReturnType<Stage['lab']['save']>
  readonly secrets: string
}

export async function aStanding(): Promise<Standing> {
  const folder = await anInventoryFolder({ 'cluster.yaml': plain })
  const stage = await aStage({ speed, files: {}, folder })
  try {
    await stage.up()
    return { lab: stage.lab.save(), secrets: await readFile(join(folder, secretsFile), 'utf8') }
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a story that begins with that cluster and an inventory that wants another VLAN. */
export async function fromStanding<T>(standing: Standing, story: (stage: Stage) => Promise<T>): Promise<T> {
  const files = { 'cluster.yaml': onVlan20, [secretsFile]: standing.secrets }
  const folder = await anInventoryFolder(files)
  const stage = await aStage({ speed, files, folder, resume: standing.lab })
  try {
    return await story(stage)
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the VM of that name has now: its first NIC, and whether its notes speak of a trial. */
export function wiringOf({ lab }: Stage, name: string): { net0: string; isTried: boolean } {
  const vms = Object.values(lab.save().proxmox.state.vms)
  const config = vms.map((vm) => vm.config as Readonly<Record<string, unknown>>).find((one) => one.name === name)
  return { net0: String(config?.net0), isTried: String(config?.description).includes('trial') }
}

/** The way to a machine is cut as long as it is on VLAN 20: the lab's own network knows no VLANs. */
export function cutOffOnVlan20(
  stage: Stage,
  name: string,
): { sync(): void; through: NonNullable<UpOptions['through']> } {
  const { cuts } = stage.lab.network
  let cut: number | undefined
  const sync = () => {
    const isTagged = wiringOf(stage, name).net0.includes('tag=20')
    if (isTagged) cut ??= cuts.add({ from: ['operator'], to: [name], how: 'refuse' })
    else if (cut !== undefined) {
      cuts.remove(cut)
      cut = undefined
    }
  }
  return {
    sync,
    through: (world) => ({
      ...world,
      proxmox: {
        ...world.proxmox,
        machines: {
          ...world.proxmox.machines,
          setOptions: async (...call) => {
            await world.proxmox.machines.setOptions(...call)
            sync()
          },
        },
      },
    }),
  }
}
