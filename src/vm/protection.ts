import type { Mark } from '../ownership/mark.js'

type Options = Readonly<Record<string, string>>

/** Proxmox deletes neither the VM nor its disks. */
export function isProtected({ options }: { readonly options: Options }): boolean {
  return options.protection === '1'
}

/** Protected by ichor because of the inventory. Protection set by hand is kept. */
export function isProtectedByUs({ options, mark }: { readonly options: Options; readonly mark: Mark }): boolean {
  return isProtected({ options }) && setKeys(mark).includes('protection')
}

/** The mark of a VM without protection. */
export function withoutProtection(mark: Mark): Mark {
  const { more: { set: _, ...others } = {}, ...rest } = mark
  const set = setKeys(mark).filter((key) => key !== 'protection')
  const more = { ...others, ...(set.length === 0 ? {} : { set: set.join(',') }) }
  return Object.keys(more).length === 0 ? rest : { ...rest, more }
}

function setKeys({ more }: Mark): string[] {
  return more?.set?.split(',') ?? []
}
