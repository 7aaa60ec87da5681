import { UsageError } from '../errors.js'
import { getSecrets, openPlace, recipientsOf } from './backup/place.js'
import { getSnapshot } from './backup/stored-snapshot.js'
import { toArg } from './backup/take.js'
import { drilledText, drillFile, drillStored } from './drill/offline.js'
import { drillCommand } from './drill/on-machine.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { openReporter } from './reporter.js'
import { chooseSnapshot } from './restore/chosen-snapshot.js'
import { dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Tests a snapshot: restores it on a temporary control plane on drill.bridge, compares the restored objects with the snapshot, and deletes the machine. --offline reads only the file. Exits with 1 if something is missing.',
  examples: [
    'ichor drill',
    'ichor drill dev-20261115T120000Z-1a2b3c4d --yes',
    'ichor drill --offline',
    'ichor drill --offline --foreign etcd.snapshot',
  ],
  positionals: [
    { name: 'SNAPSHOT', required: false, help: 'name of the snapshot (the newest); with --foreign a file' },
  ],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...toArg,
    ...forceUnlockArg,
    offline: { type: 'flag', help: 'only read the file, without a machine' },
    foreign: { type: 'flag', help: 'with --offline: read a file written by talosctl or etcdctl' },
    ...dryRunArg,
    ...stepsArg,
    cleanUp: { type: 'flag', help: 'only remove what an interrupted drill left behind' },
  },
  async run(args, context, [named]) {
    const { inventory, yes, json, lab, to, offline, foreign, cleanUp, forceUnlock, dryRun, steps } = args
    const one = await loadOne(inventory, context)
    const place = await openPlace(one, { to, lab }, context)
    if (offline) {
      const drilled = foreign
        ? await drillFile(named, { inventory: one, json }, context)
        : await drillStored(named, { inventory: one, place, json }, context)
      const result = { version: 1, type: 'drill.finished', ...drilled }
      context.stdout.write(json ? `${JSON.stringify(result)}\n` : drilledText(drilled))
      return drilled.outcome === 'passed' ? 0 : 1
    }
    if (foreign) {
      throw new UsageError('--foreign works only with --offline.', {
        where: 'ichor drill --foreign',
        fix: 'Run `ichor drill --offline --foreign FILE`.',
      })
    }
    const secrets = await getSecrets(place)
    const recipients = await recipientsOf(one, place)
    return withWorld(one, { lab, mayStartLab: false }, context, async (opened) => {
      if (cleanUp) {
        const { cleanUpDrill } = await import('../operations/drill/left-drill.js')
        const reporter = openReporter({ json, folder: one.folder, speed: opened.lab?.speed }, context)
        const { signal } = context
        await cleanUpDrill(opened, { forceUnlock, sinks: [reporter.sink], signal }).finally(() => reporter.end())
        return 0
      }
      const drill = { input: { opened, place, secrets, recipients }, yes, json, forceUnlock, dryRun, steps }
      const { talos_version: talosVersion, cluster_name: cluster } = one.settings
      const name = (await getSnapshot(named, { cluster, bundle: secrets.bundle }, place, context.signal)).manifest.name
      const choice = { named: name, isForeign: false, skipHashCheck: false, talosVersion, cluster }
      return drillCommand({ ...drill, chosen: await chooseSnapshot(choice, place, context) }, context)
    })
  },
})
