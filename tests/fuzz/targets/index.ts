import type { Target } from '../target.js'
import { inventory } from './inventory.js'
import { kubernetesAnswers } from './kubernetes-answers.js'
import { marks } from './marks.js'
import { patches } from './patches.js'
import { planFiles } from './plan-files.js'
import { propertyStrings } from './property-strings.js'
import { proxmoxAnswers } from './proxmox-answers.js'
import { secretsFiles, sops } from './secrets.js'
import { talosAnswers } from './talos-answers.js'

export const targets: readonly Target[] = [
  inventory,
  propertyStrings,
  marks,
  patches,
  planFiles,
  secretsFiles,
  sops,
  proxmoxAnswers,
  kubernetesAnswers,
  talosAnswers,
]
