import type { Destination } from '../secrets/bound-to.js'

/** What the inventory asks for; without a pin, this computer decides how the other end is verified. */
export interface WantedDestination extends Omit<Destination, 'pin'> {
  readonly pin?: string
}

/** `pve1.lan:8006,pve2.lan:8006 fingerprint:AB:CD… via socks5://127.0.0.1:1080`. */
export function formatDestination({ to, pin, via }: WantedDestination): string {
  return [to.join(','), ...(pin === undefined ? [] : [pin]), ...(via === '' ? [] : ['via', via])].join(' ')
}

/** The same form, as an operator sets it; `undefined` if it is another one. */
export function parseDestination(text: string): WantedDestination | undefined {
  const match = /^(\S+)(?: ((?!via )\S+))?(?: via (\S+))?$/.exec(text.trim())
  if (match === null) return undefined
  const [, to = '', pin, via = ''] = match
  return { to: to.split(',').map(withPort), ...(pin === undefined ? {} : { pin: normalized(pin) }), via }
}

/** Whether nothing of what is wanted goes beyond what was confirmed. */
export function covers(confirmed: WantedDestination, wanted: WantedDestination): boolean {
  if (!wanted.to.every((one) => confirmed.to.includes(one)) || confirmed.via !== wanted.via) return false
  if (wanted.pin !== undefined) return confirmed.pin === wanted.pin
  // A certificate's authority is in the inventory alone, and no verification was never confirmed for another time.
  return confirmed.pin === undefined || confirmed.pin === 'system' || isFingerprint(confirmed.pin)
}

/** The fingerprint in a pin. */
export function fingerprintIn(pin: string | undefined): string | undefined {
  return pin !== undefined && isFingerprint(pin) ? pin.slice('fingerprint:'.length) : undefined
}

export function fingerprintPin(sha256: string): string {
  const digits = sha256.replace(/^sha-?256[:=]/i, '').replace(/[^0-9A-Fa-f]/g, '')
  return `fingerprint:${(digits.toUpperCase().match(/../g) ?? []).join(':')}`
}

function isFingerprint(pin: string): boolean {
  return pin.startsWith('fingerprint:')
}

function normalized(pin: string): string {
  return isFingerprint(pin) ? fingerprintPin(pin.slice('fingerprint:'.length)) : pin
}

function withPort(host: string): string {
  return /:\d+$/.test(host) || host.includes('/') ? host : `${host}:8006`
}
