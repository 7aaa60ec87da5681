import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { grantAccess, planAccess } from '../../src/access/access-plan.js'
import { aTokenHome } from '../../src/access/testing.js'
import { administer, type Goal, removeAdministration } from '../../src/operations/goals.js'
import { reconcile } from '../../src/operations/reconcile.js'
import { anInventoryFolder, aStage, aTopology, clusterYaml, type Stage } from './lab.js'

const secretsFile = 'secrets.lab.yaml'
const speed = 200
/** Where the operator of the stories sits, as the nodes see it. */
export const operator = '10.99.0.7'

/** The inventory of the stories with that firewall. */
export function withFirewall(firewall: string, controlPlanes = 1): string {
  return clusterYaml({ controlPlanes, workers: 1, extra: `secrets: plain\nfirewall:\n${firewall}` })
}

/** Lets the operator in. */
export const good = withFirewall(
  '  enabled: true\n  proxmox: false\n  default_deny: true\n  admin_networks: [10.99.0.0/24]\n',
)
/** Lets somebody else in. */
export const bad = good.replace('10.99.0.0/24', '10.98.0.0/24')
/** The same by Proxmox only. */
export const goodVms = good.replace('proxmox: false', 'proxmox: true\n  talos: false')
export const badVms = bad.replace('proxmox: false', 'proxmox: true\n  talos: false')
/** And by the firewall of the datacenter. */
export const goodHosts = `${goodVms}  hosts: true\n`
export const badHosts = `${badVms}  hosts: true\n`

/** A cluster that stands, without a firewall. */
export interface Standing {
  readonly lab: ReturnType<Stage['lab']['save']>
  readonly secrets: string
}

export async function aStanding(controlPlanes = 1, edit = (yaml: string) => yaml): Promise<Standing> {
  const plain = edit(clusterYaml({ controlPlanes, workers: 1, extra: 'secrets: plain\n' }))
  const folder = await anInventoryFolder({ 'cluster.yaml': plain })
  const stage = await aStage({ speed, files: {}, folder, topology: aTopology({ operator }) })
  try {
    await stage.up()
    return { lab: stage.lab.save(), secrets: await readFile(join(folder, secretsFile), 'utf8') }
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a story that begins with that cluster and this inventory. */
export async function fromStanding<T>(
  { lab, secrets }: Standing,
  inventory: string,
  story: (stage: Stage) => Promise<T>,
): Promise<T> {
  const files = { 'cluster.yaml': inventory, [secretsFile]: secrets }
  const folder = await anInventoryFolder(files)
  const stage = await aStage({ speed, files, folder, resume: lab })
  try {
    return await story(stage)
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export interface NodeRules {
  /** Names of the rules in the config that the node runs with. */
  readonly active: readonly string[]
  /** Of the one that it boots with. */
  readonly kept: readonly string[]
}

/** Nodes of the stories whose config, active or on disk, still has probes of ichor. */
export function probingNodes({ lab }: Stage): string[] {
  const names = lab.talos.machines().map(({ name }) => name)
  return names.filter((name) => Object.values(lab.talos.configOf(name)).some((config) => /ichor-reach/.test(config)))
}

/** As `ichor access`, or `ichor access --remove`, with the login of an administrator. */
async function administerAs(stage: Stage, goal: Goal): Promise<void> {
  const { world, close } = await stage.connect()
  const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }
  const spec = { inventory: await stage.inventory(), patches, addons: [], intent: {}, until: 'vms' as const }
  const signal = AbortSignal.timeout(120_000)
  try {
    await reconcile({ spec, world, goal, confirm: async () => true, emit: () => {}, signal, run: 'access' })
  } finally {
    await close()
  }
}

/**
 * `ichor access`: from now on everything goes by the token that it makes for the inventory of the stage. Returns what
 * `ichor access --remove` does at the end.
 */
export async function useOwnToken(stage: Stage): Promise<() => Promise<void>> {
  const signal = new AbortController().signal
  const { tokenId, tokenSecret } = stage.lab.proxmox
  const { world, close } = await stage.connect()
  const plan = await planAccess(world.proxmox, await stage.inventory(), [], signal)
  const how = { renew: false, prove: async () => true, homeOf: () => aTokenHome(), signal }
  const { tokens } = await grantAccess(world.proxmox, plan, how)
  await close()
  await administerAs(stage, administer)
  Object.assign(stage.lab.proxmox, { tokenId: tokens[0]?.shown?.id, tokenSecret: tokens[0]?.shown?.secret })
  return async () => {
    Object.assign(stage.lab.proxmox, { tokenId, tokenSecret })
    await administerAs(stage, removeAdministration)
  }
}

/** The firewall of a node, asked from inside the lab: it may let nobody else in. */
export function rulesOf({ lab }: Stage, name: string): NodeRules {
  const config = lab.talos.configOf(name)
  return { active: rulesIn(config.active), kept: rulesIn(config.persisted) }
}

function rulesIn(config: string): string[] {
  return config
    .split(/^---$/m)
    .filter((document) => /^kind: NetworkRuleConfig$/m.test(document))
    .map((document) => /^name: (.*)$/m.exec(document)?.[1] ?? '')
}

export interface VmRules {
  /** Groups of ichor that its rules name. */
  readonly groups: number
  readonly enable: string | undefined
  /** Its notes speak of a trial. */
  readonly isTried: boolean
  readonly nic: boolean
}

/** What Proxmox has for the VM of that name. */
export function vmRulesOf({ lab }: Stage, name: string): VmRules {
  const { vms, firewall } = lab.save().proxmox.state
  const [vmid, vm] = Object.entries(vms).find(([, { config }]) => config.name === name) ?? []
  const rules = firewall[`vm/${vmid}`]
  return {
    groups: rules?.rules.filter(({ type, action = '' }) => type === 'group' && action.startsWith('ichor-')).length ?? 0,
    enable: rules?.options.enable,
    isTried: String(vm?.config.description).includes('firewall-trial'),
    nic: String(vm?.config.net0).includes('firewall=1'),
  }
}

/** Security groups and IP sets of ichor in the datacenter. */
export function groupsIn({ lab }: Stage): { groups: number; ipsets: number } {
  const cluster = lab.save().proxmox.state.firewall.cluster
  const isOurs = (name: string) => name.startsWith('ichor-')
  return {
    groups: Object.keys(cluster?.groups ?? {}).filter(isOurs).length,
    ipsets: Object.keys(cluster?.ipsets ?? {}).filter(isOurs).length,
  }
}

/** An administrator switches the firewall of the datacenter on; hosts notice it when they next look. */
export async function switchOn(stage: Stage): Promise<void> {
  const { world, close } = await stage.connect()
  const signal = new AbortController().signal
  const { firewall } = world.proxmox
  const cluster = { kind: 'cluster' } as const
  // Hosts would not let the operator in otherwise.
  await firewall.createIpset(cluster, 'management', 'of an administrator', signal)
  await firewall.addIpsetEntry(cluster, 'management', { cidr: '10.99.0.0/24' }, signal)
  await firewall.setOptions(cluster, { set: { enable: '1' } }, signal)
  await stage.lab.clock.sleep(20_000)
  await close()
}

export interface HostFirewall {
  readonly enable: string | undefined
  /** What the comment of ichor's IP set reports. */
  readonly state: string
  /** Rules of the datacenter. */
  readonly rules: number
  readonly management: readonly string[]
}

/** The firewall of the datacenter, as Proxmox has it on disk. */
export function hostFirewallOf({ lab }: Stage): HostFirewall {
  const cluster = lab.save().proxmox.state.firewall.cluster
  const sets = Object.entries(cluster?.ipsets ?? {})
  const own = sets.find(([name]) => name.startsWith('ichor-hosts-'))?.[1]
  return {
    enable: cluster?.options.enable,
    state: own?.comment?.replace(/^ichor: dev \w+ /, '') ?? 'none',
    rules: cluster?.rules.length ?? 0,
    management: cluster?.ipsets.management?.entries.map(({ cidr }) => cidr) ?? [],
  }
}
