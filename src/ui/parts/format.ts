import { sizeText } from '../../cluster/size-text.js'
import { ageText } from '../../report/duration.js'

/** `8 s ago`, `just now`, `never`. */
export function agoText(at: string | number | null, now: number): string {
  if (at === null) return 'never'
  const seconds = Math.round((now - (typeof at === 'number' ? at : Date.parse(at))) / 1000)
  return seconds < 2 ? 'just now' : `${ageText(seconds)} ago`
}

/** `in 212 d`, `expired 3 d ago`. */
export function untilText(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000)
  return seconds < 0 ? `expired ${ageText(-seconds)} ago` : `in ${ageText(seconds)}`
}

/** `today 09:12`, `17 Nov 09:12`, by the clock of the reader. */
export function timeText(at: string, now: number): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (date.toDateString() === new Date(now).toDateString()) return `today ${time}`
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`
}

export function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`
}

/** `2.6 of 8 GiB`, `512 MiB of 8 GiB`. */
export function sizeOf(used: number, total: number): string {
  const [part, whole] = [sizeText(used), sizeText(total)]
  const [amount = '', unit = ''] = part.split(' ')
  return whole.endsWith(` ${unit}`) ? `${amount} of ${whole}` : `${part} of ${whole}`
}

/** `1 machine`, `3 machines`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
