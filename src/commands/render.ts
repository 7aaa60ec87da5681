import { join, resolve } from 'node:path'
import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { type RenderedCluster, renderFromInventory, renderFromWorld } from '../operations/render/rendered-cluster.js'
import { type CompleteSpec, completeSpec } from '../operations/spec/complete-spec.js'
import { renderFiles } from '../render/render-files.js'
import type { RenderedFile } from '../render/render-input.js'
import { writeRendered } from '../render/write-rendered.js'
import { textStyle } from '../report/text-style.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { keepRenderedOutOfGit } from './keep-out-of-git.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { changesText, configChanges } from './render/config-changes.js'
import { renderInput } from './render/render-input.js'
import { singleFiles } from './render/single-files.js'
import { openHome } from './secrets/home.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Writes machine configs, talosconfig, Terraform variables, an Ansible inventory and diagrams as files, from the inventory and its secrets. The output is reproducible. --dhcp and --diagram need no secrets and print to stdout unless --out is set. --live reads the hosts of machines from Proxmox. --diff shows what would change on each node, with secrets masked.',
  examples: [
    'ichor render --out rendered',
    'ichor render --out rendered --classic --with-secrets',
    'ichor render --diff -i inventory/prod',
    'ichor render --dhcp dnsmasq > /etc/dnsmasq.d/cluster.conf',
    'ichor render --diagram svg > cluster.svg',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    out: { type: 'text', placeholder: 'DIR', help: 'the folder to write into' },
    diff: { type: 'flag', help: 'show what would change on each node; connects to the nodes' },
    live: { type: 'flag', help: 'read values that the inventory does not set from Proxmox' },
    dhcp: { type: 'choice', choices: ['dnsmasq'], help: 'only DHCP reservations: MAC, address and hostname' },
    diagram: {
      type: 'choice',
      choices: ['svg', 'mermaid'],
      help: 'only a diagram: hosts, machines, guests, PCI devices, networks, VIP and jump host',
    },
    withSecrets: { type: 'flag', help: 'also write secrets.yaml, unencrypted' },
    seeds: {
      type: 'flag',
      help: 'also write the config of each machine as an ISO: talos/seeds/NODE.iso',
    },
    classic: { type: 'flag', help: 'also write one config per role: talos/control-plane.yaml and talos/worker.yaml' },
  },
  async run({ inventory, json, lab, out, diff, live, dhcp, diagram, withSecrets, seeds, classic }, context) {
    const isSingle = dhcp !== undefined || diagram !== undefined
    if (out === undefined && !diff && !isSingle) {
      throw new UsageError('No output was chosen.', {
        where: 'ichor render',
        fix: 'Set a folder with --out, or choose --diff, --dhcp or --diagram.',
      })
    }
    const one = await loadOne(inventory, context)
    if (isSingle) {
      await deliver(await singleFiles(one, { dhcp, diagram, lab, live }, context), out, json, context)
      return 0
    }
    const asksWorld = live || lab || diff
    const { spec, cluster } = asksWorld ? await fromWorld(one, lab, context) : await fromInventory(one, context)
    if (out !== undefined) {
      const folder = resolve(context.cwd, out)
      const files = renderFiles(await renderInput(spec, cluster, { folder, withSecrets, seeds, classic }))
      await writeRendered(folder, files)
      await keepRenderedOutOfGit(folder, files)
      tellFiles(out, files, json, context)
    }
    if (diff) tellChanges(cluster, json, context)
    return 0
  },
})

/** Into the folder, or a single file to stdout. */
async function deliver(
  files: readonly RenderedFile[],
  out: string | undefined,
  json: boolean,
  context: Context,
): Promise<void> {
  if (out !== undefined) {
    await writeRendered(resolve(context.cwd, out), files)
    tellFiles(out, files, json, context)
    return
  }
  const [file, second] = files
  if (second !== undefined) {
    throw new UsageError('--dhcp and --diagram cannot both be printed to stdout.', {
      where: 'ichor render',
      fix: 'Set a folder with --out, or choose one of them.',
    })
  }
  const content = String(file?.content ?? '')
  context.stdout.write(json ? `${JSON.stringify({ version: 1, content })}\n` : content)
}

interface Rendered {
  readonly spec: CompleteSpec
  readonly cluster: RenderedCluster
}

async function fromInventory(inventory: Inventory, context: Context): Promise<Rendered> {
  const spec = await completeSpec(inventory, openHome(inventory, context).store, { isLab: false, env: context.env })
  return { spec, cluster: renderFromInventory(spec, (text) => context.stderr.write(`note  ${text}\n`)) }
}

async function fromWorld(one: Inventory, lab: boolean, context: Context): Promise<Rendered> {
  return withWorld(one, { lab, mayStartLab: false }, context, async ({ inventory, world }) => {
    const spec = await completeSpec(inventory, world.secrets, { isLab: lab, env: context.env })
    return { spec, cluster: await renderFromWorld(spec, world, context.signal) }
  })
}

function tellFiles(out: string, files: readonly RenderedFile[], json: boolean, { stdout }: Context): void {
  const paths = files.map(({ path }) => join(out, path))
  stdout.write(json ? `${JSON.stringify({ version: 1, files: paths })}\n` : paths.map((path) => `${path}\n`).join(''))
}

function tellChanges(cluster: RenderedCluster, json: boolean, { stdout, env }: Context): void {
  const nodes = configChanges(cluster)
  stdout.write(json ? `${JSON.stringify({ version: 1, nodes })}\n` : changesText(nodes, textStyle(stdout, env)))
}
