import { type Check, expect } from '../check.js'
import type { Guest } from '../guest.js'

/** A machine without a seed waits for its config, and takes it only from who knows it. */
export const maintenanceChecks: readonly Check[] = [
  {
    title: 'without a seed it is in maintenance, and shows UUID, MAC and the serial number of its VM',
    run: async (guest) => {
      const { subject } = guest
      const found = await inMaintenance(guest)
      const { uuid, mac } = subject.machine.identity
      expect(found.uuid === uuid && found.macs.includes(mac), `it shows ${JSON.stringify(found)}`)
      expect(found.serial === subject.serial, `its serial number is ${found.serial}`)
    },
  },
  {
    title: 'a config for another machine is not sent',
    run: async ({ maintenance, subject, signal }) => {
      const { uuid, mac } = subject.machine.identity
      const refused = await maintenance.applyConfiguration(subject.config, { uuid, mac, serial: 'x' }, signal).then(
        () => 'it was sent',
        (error: Error) => error.message,
      )
      expect(refused.includes('not the serial number of its VM'), refused)
    },
  },
  {
    title: 'its own config is taken',
    run: async ({ maintenance, subject, signal }) => {
      const { uuid, mac } = subject.machine.identity
      await maintenance.applyConfiguration(subject.config, { uuid, mac, serial: subject.serial }, signal)
    },
  },
]

/**
 * Talos 1.13 reads its seed in two places at once. Without one the second may wait for the first for ever: as a person would,
 * switch it off and on.
 */
async function inMaintenance({ maintenance, signal, until, console, powerCycle }: Guest) {
  const look = () => maintenance.findIdentity(signal)
  await until('the search for a config', 600, async () => (console().includes('downloading config') ? true : undefined))
  return until('maintenance mode', 60, look).catch(async () => {
    await powerCycle()
    return until('maintenance mode after a power cycle', 600, look)
  })
}
