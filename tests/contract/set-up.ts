import type { DatacentreState } from '../../src/simulator/proxmox/state.js'

/** What was done to the recorded host between two files and is not in any of them. */
export const setUps: Readonly<Record<string, (state: DatacentreState, pve: 8 | 9) => void>> = {}
