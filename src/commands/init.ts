import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sizeText } from '../cluster/size-text.js'
import { writeDurably } from '../durable-file.js'
import { UsageError } from '../errors.js'
import { labOption } from '../lab/lab-name.js'
import { widthOf } from '../report/screen-width.js'
import { tableWithin } from '../report/table.js'
import { textStyle } from '../report/text-style.js'
import { beside } from '../report/wrap.js'
import type { World } from '../world.js'
import { administrator } from './access/administrator.js'
import { declinedCode } from './ask.js'
import { cannotWrite } from './cannot-write.js'
import { type Row, rowsText } from './command-rows.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import {
  addressProblem,
  apiProblem,
  endpointProblem,
  nameProblem,
  networkProblem,
  workersProblem,
} from './init/check-answers.js'
import { bridgeChoices, controlPlaneChoices, hostChoices, storageChoices } from './init/choices.js'
import { draftInventory } from './init/draft-inventory.js'
import { type Answers, inventoryText, templateAnswers } from './init/inventory-text.js'
import { openPrompt, type Prompt } from './init/prompt.js'
import { readSite, takenAmong } from './init/read-site.js'
import { addressesIn, addressesOf, proposedAnswers, type Site, withFreeAddresses } from './init/survey.js'
import { withWorld } from './open-world.js'
import { labArg, yesArg } from './shared-args.js'
import { schemaFile, writeSchema } from './write-schema.js'

export default defineCommand({
  description:
    'Connects to your Proxmox, shows its hosts, storages and bridges, lets you choose among them (arrow keys on a terminal, numbers elsewhere), checks each answer, proposes unused addresses, shows what would be built, and writes a commented cluster.yaml. --template writes one without connecting; --yes accepts the defaults.',
  examples: [
    'ichor init',
    'ichor init --template',
    'ichor init --endpoint https://10.0.10.2:8006 --name prod --workers 3 --yes',
  ],
  args: {
    ...yesArg,
    ...labArg,
    template: { type: 'flag', help: 'write a commented template without connecting to Proxmox' },
    endpoint: { type: 'text', placeholder: 'URL', help: 'the Proxmox API; default PROXMOX_VE_ENDPOINT' },
    name: { type: 'text', placeholder: 'NAME', help: 'name of the cluster (dev)' },
    controlPlanes: {
      type: 'number',
      placeholder: 'N',
      integer: true,
      min: 1,
      max: 9,
      help: 'how many control planes',
    },
    workers: { type: 'number', placeholder: 'N', integer: true, min: 0, max: 1000, help: 'how many workers' },
    cidr: { type: 'text', placeholder: 'CIDR', help: 'network of the machines' },
    gateway: { type: 'text', placeholder: 'ADDRESS', help: 'default gateway of the machines' },
    vip: { type: 'text', placeholder: 'ADDRESS', help: 'address of the Kubernetes API' },
    datastore: { type: 'text', placeholder: 'STORAGE', help: 'storage of the disks' },
    bridge: { type: 'text', placeholder: 'BRIDGE', help: 'bridge of the machines' },
    out: { type: 'text', short: 'o', placeholder: 'FILE', default: 'cluster.yaml', help: 'the file to write' },
  },
  async run({ yes, lab, template, out, ...flags }, context) {
    const path = resolve(context.cwd, out)
    await refuseExisting(path)
    const given = givenAnswers(flags)
    const answers = template ? { ...templateAnswers, ...given } : await fromProxmox(given, { yes, lab }, out, context)
    if (answers === undefined) {
      context.stdout.write('Nothing was written.\n')
      return declinedCode
    }
    await draftInventory(context.cwd, inventoryText(answers))
    await writeDurably(path, inventoryText(answers), { mode: 0o644, mustBeNew: true }).catch(cannotWrite(path))
    await writeSchema(dirname(path))
    context.stdout.write(
      `wrote ${out}\nwrote ${join(dirname(out), schemaFile)}\n\n${nextSteps(lab ? ` ${labOption(context.env)}` : '', context)}`,
    )
    return 0
  },
})

function nextSteps(flag: string, context: Context): string {
  const rows: Row[] = [
    ...(flag === ''
      ? [['ichor access', 'create a token with the least privileges, as an administrator'] as const]
      : []),
    [`ichor plan${flag}`, 'show what would be created'],
    [`ichor up${flag}`, 'create it'],
  ]
  return rowsText(rows, context)
}

type Given = Partial<Answers>

function givenAnswers(flags: { readonly [K in keyof Answers]?: Answers[K] | undefined }): Given {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as Given
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new UsageError('The file exists already and was not changed.', {
    where: path,
    fix: 'Choose another file with --out, or delete this one.',
  })
}

interface How {
  readonly yes: boolean
  readonly lab: boolean
}

async function fromProxmox(given: Given, how: How, out: string, context: Context): Promise<Answers | undefined> {
  const prompt = openPrompt(context)
  try {
    const name = given.name ?? (how.yes ? 'dev' : await prompt.text('Name of the cluster', 'dev', nameProblem))
    const endpoint = await endpointFrom(given, how, prompt, context)
    const draft = await draftInventory(
      context.cwd,
      inventoryText({ ...templateAnswers, ...given, name, endpoint }),
      context,
    )
    const hasToken = draft.settings.proxmox.token_secret !== undefined
    const login = how.lab || hasToken ? {} : { login: await administrator(context) }
    // Who types the endpoint has confirmed it.
    const confirming = how.lab ? context : { ...context, env: { ...context.env, PROXMOX_VE_ENDPOINT: endpoint } }
    return await withWorld(draft, { lab: how.lab, mayStartLab: false, ...login }, confirming, async ({ world }) => {
      const site = await readSite(world, context.signal)
      refuseUnknown(given, site)
      context.stderr.write(siteText(site, widthOf(context.stderr)))
      const asked = await askAll(proposedAnswers(site, name, endpoint), { site, given, how, world }, prompt, context)
      if (how.yes) return asked
      context.stderr.write(`\n${await pictureOf(asked, world, context)}\n`)
      const isWanted = await prompt.choose(
        `Write ${out}?`,
        [
          { value: 'yes', about: 'nothing is built until ichor up' },
          { value: 'no', about: 'nothing is written' },
        ],
        'yes',
      )
      return isWanted === 'yes' ? asked : undefined
    })
  } finally {
    prompt.end()
  }
}

async function endpointFrom({ endpoint }: Given, how: How, prompt: Prompt, { env }: Context): Promise<string> {
  const known = endpoint ?? env.PROXMOX_VE_ENDPOINT
  if (known !== undefined || how.lab || how.yes) return known ?? templateAnswers.endpoint
  return prompt.text('Proxmox API', templateAnswers.endpoint, endpointProblem)
}

interface Asking {
  readonly site: Site
  readonly given: Given
  readonly how: How
  readonly world: World
}

/** Each answer is checked at its question; what later questions propose follows from it. */
async function askAll(
  proposed: Answers,
  { site, given, how, world }: Asking,
  prompt: Prompt,
  context: Context,
): Promise<Answers> {
  if (how.yes) return withProbedAddresses({ ...proposed, ...given }, given, world, context)
  const hosts = await prompt.chooseSome('Hosts of the machines', hostChoices(site), proposed.hosts)
  const bridge = given.bridge ?? (await prompt.choose('Bridge of the machines', bridgeChoices(site), proposed.bridge))
  const onBridge = proposedAnswers(
    { ...site, bridges: site.bridges.filter(({ name }) => name === bridge) },
    proposed.name,
    proposed.endpoint,
  )
  const cidr = given.cidr ?? (await prompt.text('Network of the machines', onBridge.cidr, networkProblem))
  const inNetwork = addressesIn(cidr, onBridge)
  const gateway =
    given.gateway ?? (await prompt.text('Gateway', inNetwork.gateway, (answer) => addressProblem(answer, cidr)))
  const datastore =
    given.datastore ?? (await prompt.choose('Storage of the disks', storageChoices(site), proposed.datastore))
  const usual = String(hosts.length >= 3 ? 3 : 1)
  const controlPlanes = given.controlPlanes ?? Number(await prompt.choose('Control planes', controlPlaneChoices, usual))
  const workers =
    given.workers ?? Number(await prompt.text('How many workers', String(Math.min(3, hosts.length)), workersProblem))
  const chosen = {
    ...inNetwork,
    ...given,
    name: proposed.name,
    hosts,
    bridge,
    cidr,
    gateway,
    datastore,
    controlPlanes,
    workers,
  }
  const probed = await withProbedAddresses(chosen, given, world, context)
  if (given.vip !== undefined) return probed
  const owners = new Map([
    [gateway, 'the gateway'],
    [new URL(proposed.endpoint).hostname, 'the Proxmox API'],
    ...addressesOf(probed)
      .filter((address) => address !== probed.vip)
      .map((address) => [address, 'a machine'] as const),
  ])
  const vipProblem = (answer: string) => apiProblem(answer, cidr, owners)
  for (;;) {
    const vip = await prompt.text('Address of the API', probed.vip, vipProblem)
    if (vip === probed.vip) return probed
    const taken = await takenAmong([vip], world, context.signal)
    if (!taken.has(vip)) return withProbedAddresses({ ...probed, vip }, { ...given, vip }, world, context)
    context.stderr.write(`  ${vip} is in use: another machine answers.\n`)
  }
}

/** An address in use is replaced, with a note; an address that the user gave never is. */
async function withProbedAddresses(answers: Answers, given: Given, world: World, context: Context): Promise<Answers> {
  context.stderr.write('Looking whether the addresses are free.\n')
  const taken = await takenAmong(addressesOf(answers), world, context.signal)
  if (given.vip !== undefined && taken.has(given.vip)) {
    throw new UsageError(`${given.vip} is in use: something answers there.`, {
      where: '--vip',
      fix: 'Choose an address that nothing uses.',
    })
  }
  const free = withFreeAddresses(answers, taken)
  if (free === undefined) {
    throw new UsageError(`${answers.cidr} has no free addresses for these machines.`, {
      where: 'ichor init',
      fix: 'Set another network with --cidr, or use fewer machines.',
    })
  }
  if (given.vip !== undefined && free.vip !== given.vip) {
    throw new UsageError(`${given.vip} cannot be the address of the Kubernetes API.`, {
      where: '--vip',
      fix: `Choose an address in ${answers.cidr} that is neither its gateway nor the Proxmox API, such as ${free.vip}.`,
    })
  }
  for (const text of movedText(answers, free, taken))
    context.stderr.write(`${beside('note  ', 6, text, widthOf(context.stderr))}\n`)
  return free
}

function movedText(before: Answers, after: Answers, taken: ReadonlySet<string>): string[] {
  const used = [...taken].filter((address) => addressesOf(before).includes(address))
  const because = used.length === 0 ? '' : ` ${used.join(', ')} ${used.length === 1 ? 'is' : 'are'} in use.`
  const moved = [
    ...(before.vip === after.vip ? [] : [`the API moves from ${before.vip} to ${after.vip}`]),
    ...(before.controlPlaneOffset === after.controlPlaneOffset
      ? []
      : [`control planes begin at ${addressesOf(after)[1]}`]),
    ...(before.workerOffset === after.workerOffset || after.workers === 0
      ? []
      : [`workers begin at ${addressesOf(after)[1 + after.controlPlanes]}`]),
  ]
  if (moved.length === 0) return []
  const text = moved.join(', ')
  return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.${because}`]
}

/** What a flag names must be there. */
function refuseUnknown({ bridge, datastore }: Given, { bridges, storages }: Site): void {
  const checks = [
    ['--bridge', bridge, bridges.map(({ name }) => name)],
    ['--datastore', datastore, storages.map(({ name }) => name)],
  ] as const
  for (const [flag, given, known] of checks) {
    if (given === undefined || known.includes(given)) continue
    throw new UsageError(`There is no ${given} on this Proxmox.`, {
      where: flag,
      fix: `Choose one of ${known.join(', ')}.`,
    })
  }
}

/** What would be built: machines with their addresses and sizes, and what is used of each host. */
async function pictureOf(answers: Answers, world: World, context: Context): Promise<string> {
  const inventory = await draftInventory(context.cwd, inventoryText(answers), context)
  const { observe } = await import('../observe/observe.js')
  const { factsFrom } = await import('../desired/places.js')
  const { capacityOf } = await import('../operations/capacity.js')
  const { capacityText } = await import('./capacity-report.js')
  const facts = factsFrom(await observe(inventory, world, context.signal, { isCounting: true }))
  const width = widthOf(context.stderr)
  const rows = inventory.machines.map(({ name, nics: [nic], cpu, memory, disk }) => [
    name,
    nic.addresses[0]?.replace(/\/.*$/, '') ?? 'DHCP',
    `${cpu} vCPU`,
    sizeText(memory),
    sizeText(disk),
  ])
  return [
    beside('', 0, `API ${answers.vip}, bridge ${answers.bridge}, storage ${answers.datastore}`, width),
    tableWithin(['MACHINE', 'ADDRESS', 'CPU', 'MEMORY', 'DISK'], rows, width, [4, 2, 3]),
    capacityText(capacityOf(inventory, facts, undefined), textStyle(context.stderr, context.env), width),
  ].join('\n')
}

/** What exists, before the first question. */
function siteText({ hosts, storages, bridges }: Site, width: number): string {
  const sections = [
    tableWithin(
      ['HOST', 'THREADS', 'MEMORY'],
      hosts.map(({ name, cpus, memory }) => [name, String(cpus), sizeText(memory)]),
      width,
      [],
    ),
    tableWithin(
      ['STORAGE', 'FREE', 'HOSTS'],
      storages.map(({ name, free, hosts: count }) => [name, sizeText(free), String(count)]),
      width,
      [2],
    ),
    tableWithin(
      ['BRIDGE', 'NETWORK', 'GATEWAY'],
      bridges.map(({ name, cidr, gateway }) => [name, cidr ?? '-', gateway ?? '-']),
      width,
      [2],
    ),
  ]
  return `${sections.join('\n')}\n`
}
