import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sizeText } from '../cluster/size-text.js'
import { writeDurably } from '../durable-file.js'
import { UsageError } from '../errors.js'
import { labOption } from '../lab/lab-name.js'
import { table } from '../report/table.js'
import { administrator } from './access/administrator.js'
import { askText } from './ask.js'
import { cannotWrite } from './cannot-write.js'
import { type Row, rowsText } from './command-rows.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { draftInventory } from './init/draft-inventory.js'
import { type Answers, inventoryText, templateAnswers } from './init/inventory-text.js'
import { readSite, takenAmong } from './init/read-site.js'
import { addressesOf, proposedAnswers, type Site, withFreeAddresses } from './init/survey.js'
import { withWorld } from './open-world.js'
import { labArg, yesArg } from './shared-args.js'
import { schemaFile, writeSchema } from './write-schema.js'

export default defineCommand({
  description:
    'Connects to your Proxmox, shows its hosts, storages and bridges, asks what it cannot detect (each question has a default), and writes a commented cluster.yaml with unused addresses. --template writes one without connecting; --yes accepts the defaults.',
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
    const answers = template ? { ...templateAnswers, ...given } : await fromProxmox(given, { yes, lab }, context)
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

async function fromProxmox(given: Given, how: { yes: boolean; lab: boolean }, context: Context): Promise<Answers> {
  const name = given.name ?? (await ask('Name of the cluster', 'dev', how, context))
  const endpoint = await endpointFrom(given, how, context)
  const draft = await draftInventory(
    context.cwd,
    inventoryText({ ...templateAnswers, ...given, name, endpoint }),
    context,
  )
  const hasToken = draft.settings.proxmox.token_secret !== undefined
  const login = how.lab || hasToken ? {} : { login: await administrator(context) }
  // Who types the endpoint has confirmed it.
  const confirming = how.lab ? context : { ...context, env: { ...context.env, PROXMOX_VE_ENDPOINT: endpoint } }
  return withWorld(draft, { lab: how.lab, mayStartLab: false, ...login }, confirming, async ({ world }) => {
    const site = await readSite(world, context.signal)
    context.stderr.write(`${siteText(site)}\n`)
    const proposed = { ...proposedAnswers(site, name, endpoint), ...given }
    const answers = await askAll(proposed, given, how, context)
    const taken = await takenAmong(addressesOf(answers), world, context.signal)
    const free = withFreeAddresses(answers, taken)
    if (free !== undefined) return free
    throw new UsageError(`${answers.cidr} has no free addresses for these machines.`, {
      where: 'ichor init',
      fix: 'Set another network with --cidr, or use fewer machines.',
    })
  })
}

async function endpointFrom(
  { endpoint }: Given,
  how: { yes: boolean; lab: boolean },
  context: Context,
): Promise<string> {
  const known = endpoint ?? context.env.PROXMOX_VE_ENDPOINT
  if (known !== undefined || how.lab) return known ?? templateAnswers.endpoint
  return ask('Proxmox API', templateAnswers.endpoint, how, context)
}

async function askAll(proposed: Answers, given: Given, how: { yes: boolean }, context: Context): Promise<Answers> {
  const questions: readonly [key: 'cidr' | 'gateway' | 'datastore' | 'bridge', text: string][] = [
    ['bridge', 'Bridge of the machines'],
    ['cidr', 'Network of the machines'],
    ['gateway', 'Gateway'],
    ['datastore', 'Storage of the disks'],
  ]
  const answers = { ...proposed }
  for (const [key, text] of questions) {
    if (given[key] === undefined) answers[key] = await ask(text, proposed[key], how, context)
  }
  for (const key of ['controlPlanes', 'workers'] as const) {
    if (given[key] !== undefined) continue
    const text = key === 'workers' ? 'How many workers' : 'How many control planes (1, 3 or 5)'
    answers[key] = Number(await ask(text, String(proposed[key]), how, context))
  }
  return answers
}

async function ask(question: string, usual: string, { yes }: { yes: boolean }, context: Context): Promise<string> {
  if (yes) return usual
  const typed = await askText(
    `${question} [${usual}]: `,
    context,
    'Use --yes, with flags for values that differ from the defaults.',
  )
  return typed === '' ? usual : typed
}

/** What exists, before the first question. */
function siteText({ hosts, storages, bridges }: Site): string {
  return [
    table(
      ['HOST', 'THREADS', 'MEMORY'],
      hosts.map(({ name, cpus, memory }) => [name, String(cpus), sizeText(memory)]),
    ),
    table(
      ['STORAGE', 'FREE', 'HOSTS'],
      storages.map(({ name, free, hosts: count }) => [name, sizeText(free), String(count)]),
    ),
    table(
      ['BRIDGE', 'NETWORK', 'GATEWAY'],
      bridges.map(({ name, cidr, gateway }) => [name, cidr ?? '-', gateway ?? '-']),
    ),
  ].join('\n')
}
