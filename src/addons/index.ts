export type {
  Addon,
  AddonCheck,
  AddonContext,
  AddonOption,
  AddonRequest,
  AddonSettings,
  MachineNeeds,
  ProxmoxIdentity,
} from './addon.js'
export { defineAddon } from './addon.js'
export { AddonFailed } from './addon-failed.js'
export { catalogue, findAddon } from './catalogue.js'
export { addonProblems, describeCheck } from './check-addon.js'
export { type CustomAddonSettings, loadReferences } from './custom.js'
export { helmImage } from './helm-job.js'
export { installAddon, removeAddon } from './install.js'
export { findHelmJob, inlineManifestOf, installObjects } from './install-objects.js'
export {
  type AddonChange,
  type AddonState,
  changeOf,
  type InstalledAddon,
  observeAddons,
  readInstalledAddons,
  surplusAddons,
} from './installed-addons.js'
export { createLocalHelm, type LocalHelm } from './local-helm.js'
export { combineMachineNeeds, type PlannedAddon } from './planned-addon.js'
export { type AddonsSettings, resolveAddons } from './resolve-addons.js'
export type { AddonTools } from './run-helm-job.js'
export { addonsSchema, createAddonsSchema } from './schema.js'
export { addonSpecHash } from './spec-hash.js'
