import type { Lab } from '../../simulator/index.js'
import type { FaultDefinition, FaultOptions, FaultOrder } from './define-fault.js'
import { hangApi, hostOffline, lagFiles, lagStatistics, loseQuorum, powerCut } from './hosts.js'
import { breakImage } from './images.js'
import {
  bootOldSlot,
  clockAhead,
  clockBehind,
  closeApi,
  etcdCorrupt,
  etcdNoSpace,
  etcdSlow,
  expireCertificate,
  hang,
  internalError,
  wipe,
} from './machines.js'
import { cut, duplicate, holdVip, moveLease } from './network.js'
import { cutStream, delay, dropAnswer, failConfig, failTask, killCaller, killTask, refuse, status } from './requests.js'
import { fillStorage, readOnlyStorage, slowStorage } from './storages.js'
import { narrowToken, revokeToken } from './tokens.js'
import { failStart, removeVmFile, unlockVm } from './vms.js'

/** Every fault of the lab, in the order in which they are listed. */
export const faultDefinitions: readonly FaultDefinition[] = [
  refuse,
  delay,
  status,
  dropAnswer,
  killCaller,
  cutStream,
  killTask,
  failTask,
  failConfig,
  hang,
  expireCertificate,
  closeApi,
  clockAhead,
  clockBehind,
  etcdSlow,
  etcdNoSpace,
  etcdCorrupt,
  bootOldSlot,
  wipe,
  internalError,
  failStart,
  removeVmFile,
  unlockVm,
  hostOffline,
  powerCut,
  loseQuorum,
  hangApi,
  lagFiles,
  lagStatistics,
  fillStorage,
  slowStorage,
  readOnlyStorage,
  revokeToken,
  narrowToken,
  cut,
  duplicate,
  holdVip,
  moveLease,
  breakImage,
]

/** By name: every fault, and every order that ends one. */
const faultOrders: ReadonlyMap<string, FaultOrder> = new Map(
  faultDefinitions.flatMap((fault) => ordersOf(fault).map((order) => [order.name, order] as const)),
)

function ordersOf(fault: FaultDefinition): FaultOrder[] {
  return typeof fault.end === 'string' ? [fault] : [fault, fault.end]
}

export async function applyFault(lab: Lab, name: string, options: FaultOptions): Promise<void> {
  const order = faultOrders.get(name)
  if (order === undefined) throw new Error(`The lab has no fault "${name}".`)
  await order.run(lab, options)
}
