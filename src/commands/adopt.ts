import { relative, resolve } from 'node:path'
import { UsageError } from '../errors.js'
import { printable } from '../report/printable.js'
import { originsOf } from './adopt/origin-files.js'
import { findBegun, readUnread } from './adopt/read-unread.js'
import { reportText } from './adopt/report-text.js'
import { refuseExisting, writeEnvironment } from './adopt/write-environment.js'
import { rowsText } from './command-rows.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { draftInventory } from './init/draft-inventory.js'
import { loadNamed } from './inventories.js'
import { withWorld } from './open-world.js'
import { openHome } from './secrets/home.js'
import { forceUnlockArg, labArg, stepsArg, yesArg } from './shared-args.js'
import { schemaFile } from './write-schema.js'

export default defineCommand({
  description:
    'Writes an inventory, the secrets and patches for a Talos cluster that something else made, so that ichor can manage it. Reads Proxmox, Talos and Kubernetes and changes nothing anywhere: ichor up then takes the VMs over, without a restart. Needs PROXMOX_VE_API_TOKEN for a token that sees the VMs. For a folder that it has written, it reads the machines that were off then.',
  examples: [
    'ichor adopt --talosconfig ~/.talos/config --proxmox-endpoint https://10.0.10.2:8006 --out inventory/home',
    'ichor adopt --secrets secrets.yaml --node 10.0.10.11 --dry-run',
    'ichor adopt --machine-config controlplane.yaml --strict',
    'ichor adopt --tfstate terraform.tfstate --out inventory/home',
    'ichor adopt --talconfig ~/home-ops/talos --out inventory/home',
    'ichor adopt --out inventory/home',
    'ichor adopt --abort --out inventory/home',
  ],
  args: {
    ...labArg,
    talosconfig: { type: 'text', placeholder: 'FILE', help: 'a talosconfig with os:admin' },
    context: { type: 'text', placeholder: 'NAME', help: 'the context of the talosconfig; its current one by default' },
    secrets: {
      type: 'text',
      placeholder: 'FILE',
      help: 'the bundle of talosctl gen secrets, or talsecret.yaml, plain or encrypted with SOPS',
    },
    machineConfig: { type: 'text', placeholder: 'FILE', help: 'the machine config of a control plane' },
    tfstate: {
      type: 'text',
      placeholder: 'FILE',
      help: 'a state of Terraform or OpenTofu with the Talos provider, as `tofu state pull` prints it',
    },
    cluster: {
      type: 'text',
      placeholder: 'ADDRESS',
      help: 'the talos_machine_secrets of a state that holds several',
    },
    talconfig: {
      type: 'text',
      placeholder: 'DIR',
      help: 'the folder in which talhelper works, with its talconfig.yaml',
    },
    node: { type: 'list', placeholder: 'ADDRESS', help: 'a control plane, if the file names none; can be repeated' },
    proxmoxEndpoint: { type: 'text', placeholder: 'URL', help: 'the Proxmox API; default PROXMOX_VE_ENDPOINT' },
    name: { type: 'text', placeholder: 'NAME', help: 'cluster_name; default: that of the machine configs' },
    out: {
      type: 'text',
      short: 'o',
      placeholder: 'DIR',
      default: '.',
      help: 'the folder to write the environment into',
    },
    strict: { type: 'flag', help: 'refuse if anything that runs cannot be written down' },
    abort: {
      type: 'flag',
      help: 'undo an adoption into the folder of --out: marks, tags, pool and lease; the files stay',
    },
    ...yesArg,
    ...forceUnlockArg,
    dryRun: { type: 'flag', help: 'print the inventory and the report, and write nothing' },
    ...stepsArg,
  },
  async run(
    { lab, node, proxmoxEndpoint, name, out, strict, abort, yes, forceUnlock, dryRun, steps, ...files },
    context,
  ) {
    const folder = resolve(context.cwd, out)
    if (abort) {
      const { letGo } = await import('./eject/let-go.js')
      const inventories = await loadNamed([folder], context)
      return letGo(inventories, { lab, yes, forceUnlock, dryRun, steps, json: false }, context)
    }
    const begun = await findBegun(folder, context)
    if (begun !== undefined) return readUnread(begun, { lab, strict, dryRun }, context)
    const origins = await originsOf(files, context)
    if (!dryRun) await refuseExisting(folder)
    const endpoint = proxmoxEndpoint ?? context.env.PROXMOX_VE_ENDPOINT
    if (endpoint === undefined && !lab) {
      throw new UsageError('The address of Proxmox is not known.', {
        where: 'ichor adopt',
        fix: 'Add --proxmox-endpoint, or set PROXMOX_VE_ENDPOINT.',
      })
    }
    // Who types the endpoint has confirmed it.
    const own =
      endpoint === undefined ? context : { ...context, env: { ...context.env, PROXMOX_VE_ENDPOINT: endpoint } }
    const draft = (text: string) => draftInventory(folder, text, own)
    const { adopt } = await import('../operations/adopt/adopt.js')
    return withWorld(await draft(probe), { lab, mayStartLab: false }, own, async ({ world, keepBinding }) => {
      const adoption = await adopt(
        world,
        origins,
        {
          nodes: node,
          strict,
          schema: `./${schemaFile}`,
          draft,
          ...(name === undefined ? {} : { name }),
          ...(endpoint === undefined || lab ? {} : { endpoint }),
        },
        context.signal,
      )
      if (dryRun) {
        context.stdout.write(printable(`${adoption.inventory}\n${reportText(adoption)}`))
        return 0
      }
      const { store } = openHome(await draft(probe), own, lab)
      const written = await writeEnvironment(folder, adoption, store)
      await keepBinding()
      const place = relative(context.cwd, folder)
      const lines = [store.location, ...written].map((file) => `wrote ${file}\n`).join('')
      context.stdout.write(printable(`${reportText(adoption)}\n${lines}\n${nextSteps(place, lab, context)}`))
      return 0
    })
  },
})

/** Enough to ask Proxmox. */
const probe = 'cluster_name: adopted\nnetwork: { mode: dhcp }\n'

function nextSteps(place: string, isLab: boolean, context: Context): string {
  const flags = `${place === '' ? '' : ` -i ${place}`}${isLab ? ' --lab' : ''}`
  return rowsText(
    [
      [`ichor plan${flags}`, 'show what taking over changes: pool, mark and tags of each VM'],
      [`ichor up${flags}`, 'take the VMs over; no machine is restarted'],
    ],
    context,
  )
}
