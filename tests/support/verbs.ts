import type { RotationTarget } from '../../src/cluster/rotation.js'
import type { Change as Edit } from '../../src/inventory/edit.js'
import { proposeChanges, writeEdits } from '../../src/inventory/index.js'
import { asOpened } from '../../src/operations/change/as-opened.js'
import { evacuatedSpec } from '../../src/operations/change/evacuated-spec.js'
import { rebootedSpec } from '../../src/operations/change/rebooted-spec.js'
import { replacedSpec } from '../../src/operations/change/replaced-spec.js'
import { rotatedSpec } from '../../src/operations/change/rotated-spec.js'
import { scaledSpec } from '../../src/operations/change/scaled-spec.js'
import { type UpgradeRequest, upgradedSpec } from '../../src/operations/change/upgraded-spec.js'
import { loadSpec } from '../../src/operations/spec/load-spec.js'
import type { Change } from './lab.js'

/** `ichor scale`, as its command does it. */
export function scaleTo(...words: string[]): Change {
  return (inventory, options) => scaledSpec(words, inventory, options)
}

/** `ichor replace NODE`, as its command does it. */
export function replace(...names: string[]): Change {
  return (inventory, options) => replacedSpec(names, inventory, options)
}

/** `ichor reboot NODE|POOL`, as its command does it. */
export function reboot(...names: string[]): Change {
  return (inventory, options) => rebootedSpec(names, inventory, options)
}

/** `ichor secrets rotate`, as its command does it. */
export function rotate(what: RotationTarget): Change {
  return (inventory, options) => rotatedSpec(what, inventory, options)
}

/** `ichor upgrade`, as its command does it. */
export function upgradeTo(request: UpgradeRequest): Change {
  return (inventory, options) => upgradedSpec(request, inventory, options)
}

/** `ichor evacuate`, as its command does it. */
export function evacuateHosts(hosts: readonly string[], { isReturn = false }: { isReturn?: boolean } = {}): Change {
  return (inventory, options) => evacuatedSpec(hosts, inventory, { ...options, isReturn })
}

/** Another inventory and `ichor up`. */
export function edited(...edits: Edit[]): Change {
  return async (inventory, options) => {
    const proposed = await proposeChanges(inventory, edits, options)
    const spec = await loadSpec(asOpened(proposed.inventory, inventory), options)
    return { spec, write: () => writeEdits(proposed.edits) }
  }
}
