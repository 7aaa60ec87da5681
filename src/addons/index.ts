export type {
  Addon,
  AddonCheck,
  AddonContext,
  AddonOption,
  AddonSettings,
  AddonWish,
  MachineNeeds,
  ProxmoxIdentity,
} from './addon.js'
export { defineAddon } from './addon.js'
export { catalogue, findAddon } from './catalogue.js'
export { addonsSchema, createAddonsSchema } from './schema.js'
