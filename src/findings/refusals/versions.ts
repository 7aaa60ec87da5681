import { building, defineRefusal, every } from './define-refusal.js'

export const unreachableVersion = defineRefusal({
  code: 'ICH1150',
  name: 'A version cannot be reached from the running one',
  phase: 'before-plan',
  blocks: building,
  detail: 'A minor version back, or a Kubernetes that this Talos does not support, does not start.',
})

export const unknownRelease = defineRefusal({
  code: 'ICH1153',
  name: 'The Image Factory does not have this version of Talos',
  phase: 'inventory',
  blocks: building,
  detail: 'Images and installers of a version that was never released cannot be fetched.',
})

export const unknownExtension = defineRefusal({
  code: 'ICH1154',
  name: 'The Image Factory does not have an extension for this version of Talos',
  phase: 'inventory',
  blocks: building,
  detail: 'No image and no installer can be built with it.',
})

export const nothingMoves = defineRefusal({
  code: 'ICH1151',
  name: 'No image in the configs has the new version of Kubernetes',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'The plan would repeat itself without an effect.',
})

export const blockedByAdvisory = defineRefusal({
  code: 'ICH1152',
  name: 'A change enters a combination that is known to break',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'An advisory names it.',
})

export const changedArtifact = defineRefusal({
  code: 'ICH1155',
  name: 'Something to install does not match the lock file',
  phase: 'in-plan',
  blocks: every,
  detail: 'What was locked is installed, or nothing.',
})

export const noDowngrade = defineRefusal({
  code: 'ICH1156',
  name: 'etcd cannot be downgraded',
  phase: 'in-plan',
  blocks: every,
  detail: 'etcd lowers its version only as a healthy whole.',
})
