import type { Cure } from '../findings/finding.js'

/** `Create it: ichor up`; empty if nothing is known to help. */
export function cureText(cure: Cure | undefined): string {
  const { text = '', command } = cure ?? {}
  if (command === undefined) return text
  return text === '' ? command : `${text.replace(/[.:]$/, '')}: ${command}`
}
