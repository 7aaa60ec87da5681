import { isDue, lastDue } from '../../backup/cron.js'
import { chooseEtcdSource } from '../../backup/etcd-source.js'
import { listSnapshots } from '../../backup/list-snapshots.js'
import type { Manifest } from '../../backup/manifest.js'
import { takeSnapshot } from '../../backup/take-snapshot.js'
import { clusterMarkId } from '../../cluster/identity.js'
import { sizeText } from '../../cluster/size-text.js'
import { UsageError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { type DoStep, reportedRun } from '../../operations/reported-run.js'
import type { Session } from '../../operations/session.js'
import { widthOf } from '../../report/screen-width.js'
import { beside } from '../../report/wrap.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import { forEachInventory } from '../each-cluster.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { findNodeTargets, hasStaticAddresses } from '../node-targets.js'
import { withWorld } from '../open-world.js'
import { openReporter } from '../reporter.js'
import { inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { connectForBackup } from './etcd-source.js'
import { type BackupPlace, getSecrets, openPlace, recipientsOf } from './place.js'

export const toArg = {
  to: { type: 'text', placeholder: 'FOLDER|s3://…', help: 'override backup.etcd.store' },
} as const

export default defineCommand({
  description:
    'Takes a snapshot from an etcd member that is in sync with the leader, verifies it, encrypts it for the recipients of the secrets file, stores it, and reads it back. Changes nothing in the cluster.',
  examples: ['ichor backup', 'ichor backup --to s3://backups/dev', 'ichor backup --if-due'],
  args: {
    ...inventoryArg,
    // It asks nothing: a pipeline may pass --yes to every command.
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...toArg,
    ifDue: { type: 'flag', help: 'only if a snapshot is due according to backup.etcd.schedule' },
  },
  async run({ inventory, json, lab, to, ifDue }, context) {
    const how = { lab, mayStartLab: false, talosRoles: ['os:reader', 'os:etcd:backup'] } as const
    return forEachInventory(await loadNamed(inventory, context), (one) =>
      // Only guest agents know addresses that are not in the inventory, and only Proxmox can query them.
      withWorld(one, { ...how, withoutProxmox: hasStaticAddresses(one) }, context, async (opened) => {
        const place = await openPlace(opened.inventory, { to, lab }, context)
        await backUp({ opened, place, ifDue, json }, context)
        return 0
      }),
    )
  },
})

interface Backup {
  readonly opened: Session
  readonly place: BackupPlace
  readonly ifDue: boolean
  readonly json: boolean
}

async function backUp({ opened, place, ifDue, json }: Backup, context: Context): Promise<void> {
  const { inventory } = opened
  const secrets = await getSecrets(place)
  const recipients = await recipientsOf(inventory, place)
  const reporter = openReporter({ json, folder: inventory.folder }, context)
  const steps = [
    ...(ifDue ? [{ id: 'look-at-schedule', title: 'check whether a snapshot is due' }] : []),
    { id: 'choose-etcd-member', title: 'choose an etcd member' },
    { id: 'save-etcd-snapshot', title: `save a snapshot of etcd in ${place.store.location}` },
  ]
  try {
    const taken = await reportedRun(
      opened,
      { goal: 'backup', steps, sinks: [reporter.sink], signal: context.signal },
      async (step) => {
        if (ifDue && !(await step('look-at-schedule', (note) => dueNow(inventory, place, secrets, note, context)))) {
          return { result: undefined, outcome: 'nothing-to-do', changed: 0 }
        }
        const result = await takeFrom({ opened, place, secrets, recipients }, step, context.signal)
        return { result, outcome: 'done', changed: 1 }
      },
    )
    reporter.end()
    showTaken(taken, place, json, context)
  } finally {
    reporter.end()
  }
}

async function dueNow(
  { settings, where }: Inventory,
  { store }: BackupPlace,
  { bundle }: SecretsFile,
  note: (text: string) => void,
  { signal }: Context,
): Promise<boolean> {
  const { schedule, time_zone: timeZone } = settings.backup.etcd
  if (schedule === undefined) {
    throw new UsageError('--if-due needs a schedule, but backup.etcd.schedule is not set.', {
      where: where('backup.etcd'),
      fix: 'Set backup.etcd.schedule, such as "0 */6 * * *", or leave out --if-due.',
    })
  }
  const { snapshots } = await listSnapshots(store, { cluster: settings.cluster_name, bundle }, signal)
  const newest = snapshots.find(({ manifest }) => manifest.raw_copy_of === undefined)?.manifest.taken_at
  const last = newest === undefined ? undefined : Date.parse(newest)
  const isTime = isDue({ schedule, timeZone, last }, Date.now())
  const due = lastDue(schedule, timeZone, Date.now())
  note(
    `${isTime ? 'due' : 'not due'}: last snapshot ${newest ?? 'never'}, last time of the schedule ${due === undefined ? 'never' : new Date(due).toISOString()}`,
  )
  return isTime
}

interface Source {
  readonly opened: Session
  readonly place: BackupPlace
  readonly secrets: SecretsFile
  readonly recipients: readonly string[]
}

const noteEveryBytes = 64 * 1024 ** 2

async function takeFrom({ opened, place, secrets, recipients }: Source, step: DoStep, signal: AbortSignal) {
  const { world, inventory } = opened
  const { cluster_name, talos_version, kubernetes_version } = inventory.settings
  const talos = connectForBackup(world, secrets.bundle)
  try {
    const source = await step('choose-etcd-member', async (note) => {
      const targets = await findNodeTargets(inventory, world, signal)
      const controlPlanes = targets.filter(({ role }) => role === 'controlplane')
      const chosen = await chooseEtcdSource({ talos, clock: world.clock }, controlPlanes, cluster_name, signal)
      note(`${chosen.machine}, ${chosen.isLeader ? 'the leader' : 'a follower'}`)
      return chosen
    })
    const facts = {
      cluster: cluster_name,
      clusterId: clusterMarkId(secrets.bundle.cluster.id),
      talosVersion: talos_version,
      kubernetesVersion: kubernetes_version,
      etcdVersion: source.etcdVersion,
      members: source.members,
    }
    const input = { store: place.store, from: source.machine, facts, secrets, recipients, takenAt: new Date() }
    return await step('save-etcd-snapshot', (note) => {
      let noted = 0
      const onProgress = (bytes: number) => {
        if (bytes - noted < noteEveryBytes) return
        noted = bytes
        note(`${sizeText(bytes)} received`)
      }
      return takeSnapshot({ ...input, stream: source.stream(signal), onProgress }, signal)
    })
  } finally {
    await talos.close()
  }
}

function showTaken(manifest: Manifest | undefined, { store }: BackupPlace, json: boolean, { stdout }: Context): void {
  if (json) {
    if (manifest === undefined) return
    stdout.write(
      `${JSON.stringify({ version: 1, type: 'backup.finished', snapshot: manifest, store: store.location })}\n`,
    )
    return
  }
  if (manifest === undefined) return void stdout.write('No snapshot is due.\n')
  const keys = Object.values(manifest.keys).reduce((sum, count) => sum + count, 0)
  const facts = [sizeText(manifest.size), `revision ${manifest.revision}`, `${keys} keys`, `in ${store.location}`]
  stdout.write(`${beside('', 0, `${manifest.name}: ${facts.join(', ')}`, widthOf(stdout))}\n`)
}
