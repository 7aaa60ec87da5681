import type { LabCertificate } from './certificate.js'
import type { DatacenterState, VolumeState } from './state.js'

/** A saved datacenter: JSON, with files in base64. */
export interface SavedProxmox {
  readonly format: 1
  readonly pve: 8 | 9
  readonly state: PackedState
  readonly guests: Record<string, unknown>
  readonly certificate: LabCertificate
  readonly random: number
  readonly credentials: { readonly tokenId: string; readonly tokenSecret: string; readonly rootPassword: string }
}

type PackedVolume = Omit<VolumeState, 'bytes'> & { base64?: string }

export type PackedState = Omit<DatacenterState, 'volumes'> & { volumes: Record<string, PackedVolume> }

/** A value that can be written to a file and does not change with the lab. */
export function packState(state: DatacenterState): PackedState {
  const { volumes, ...rest } = state
  const packed = Object.fromEntries(Object.entries(volumes).map(([key, volume]) => [key, pack(volume)]))
  return structuredClone({ ...rest, volumes: packed })
}

function pack({ bytes, ...volume }: VolumeState): PackedVolume {
  return bytes === undefined
    ? volume
    : { ...volume, base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') }
}

export function unpackState(saved: PackedState): DatacenterState {
  const { volumes, ...state } = structuredClone(saved)
  const unpacked = Object.fromEntries(Object.entries(volumes).map(([key, volume]) => [key, unpack(volume)]))
  return endedTasks({ ...state, volumes: unpacked })
}

function unpack({ base64, ...volume }: PackedVolume): VolumeState {
  return base64 === undefined ? volume : { ...volume, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }
}

/** Workers do not survive: those running when the lab was saved have ended without a result. */
function endedTasks(state: DatacenterState): DatacenterState {
  for (const task of state.tasks) {
    if (task.status !== 'running') continue
    task.status = 'stopped'
    task.exitstatus = 'unexpected status'
    task.endtime = task.starttime
  }
  return state
}
