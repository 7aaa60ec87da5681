import { defineStep, noArgs } from './step.js'

/** Saves the current state before any of it is removed. */
export const saveEtcd = defineStep({
  kind: 'save-etcd',
  args: noArgs,
  title: () => 'save what etcd holds now',
  changes: false,
  disruptive: false,
  done: async () => false,
  async run(_args, { snapshots, note, signal }) {
    if (snapshots === undefined) throw new Error('there is no place to save snapshots in')
    const saved = await snapshots.save(note, signal)
    note(`saved as ${saved.join(', ')} in ${snapshots.location}`)
  },
  effect: () => undefined,
})
