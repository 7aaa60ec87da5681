import { type Disk, parseDisk, writeDisk } from '../proxmox/model/options/disk.js'
import { diskVolume } from './disk-option.js'

/** Flags that the inventory can set, with Proxmox's defaults. */
const defaultFlags = {
  discard: false,
  ssd: false,
  ioThread: false,
  cache: 'none',
  aio: 'unset',
  backup: true,
  replicate: true,
} as const

interface FlagChange {
  readonly what: string
  readonly from: string
  readonly to: string
}

/** Flags of an existing disk that differ, as Proxmox writes them. */
export function differentFlags(option: string | undefined, wanted: Disk): FlagChange[] {
  if (diskVolume(option) === undefined) return []
  const whole = (disk: Disk): Disk => ({ ...defaultFlags, ...disk })
  const [is, should] = [whole(parseDisk(option ?? '')), whole(wanted)]
  const written = (disk: Disk, flag: keyof typeof defaultFlags) => writeDisk({ [flag]: disk[flag] }).split('=')
  return (Object.keys(defaultFlags) as (keyof typeof defaultFlags)[])
    .filter((flag) => is[flag] !== should[flag])
    .map((flag) => {
      const [what = flag, from = ''] = written(is, flag)
      return { what, from, to: written(should, flag)[1] ?? '' }
    })
}

/** The option of a disk with these flags, otherwise unchanged; `undefined` if it has them already. */
export function withFlags(option: string | undefined, flags: Disk): string | undefined {
  if (option === undefined || differentFlags(option, flags).length === 0) return undefined
  const {
    discard: _d,
    ssd: _s,
    ioThread: _i,
    cache: _c,
    aio: _a,
    backup: _b,
    replicate: _r,
    ...rest
  } = parseDisk(option)
  return writeDisk({ ...rest, ...flags })
}
