import { perhapsNoNode, silentRepository } from './addons.js'
import { lostSince, silentStore } from './backups.js'
import type { Note } from './define-note.js'
import { lastMember, sickMember } from './etcd.js'
import { largerDisk } from './inventory.js'
import {
  offMachine,
  pausedVm,
  staleLock,
  surgeUnused,
  surplusDisk,
  surplusHardware,
  unprovenVm,
  unreadConfig,
  withoutStartup,
} from './machines.js'
import { majorityOnOneHost, notBackHome, otherHost, otherStorage } from './placement.js'
import {
  firewallOff,
  foreignSwitch,
  hiddenVmid,
  offlineHost,
  othersFiltered,
  sharedNetwork,
  strayDisks,
  unreadGuests,
  withoutQuorum,
} from './proxmox.js'
import { forAdministrator, keysPutBack, readableSeed, rotationUnderWay } from './secrets.js'
import {
  deprecatedApi,
  entersAdvisory,
  factoryUnasked,
  keptVersion,
  leavesAdvisory,
  otherArtifact,
  uncheckedLock,
  uncheckedUpgrade,
  unsupportedChart,
} from './versions.js'

/** Everything that a plan may note. Those with the code of a finding name the same thing. */
export const notes: readonly Note[] = [
  largerDisk,
  withoutQuorum,
  offlineHost,
  hiddenVmid,
  strayDisks,
  firewallOff,
  sharedNetwork,
  foreignSwitch,
  othersFiltered,
  unreadGuests,
  pausedVm,
  unprovenVm,
  staleLock,
  surgeUnused,
  offMachine,
  withoutStartup,
  unreadConfig,
  surplusDisk,
  surplusHardware,
  sickMember,
  lastMember,
  perhapsNoNode,
  silentRepository,
  readableSeed,
  rotationUnderWay,
  keysPutBack,
  forAdministrator,
  lostSince,
  silentStore,
  majorityOnOneHost,
  otherHost,
  notBackHome,
  otherStorage,
  deprecatedApi,
  uncheckedUpgrade,
  unsupportedChart,
  keptVersion,
  factoryUnasked,
  otherArtifact,
  uncheckedLock,
  entersAdvisory,
  leavesAdvisory,
]
