import { defineNote } from './define-note.js'

export const deprecatedApi = defineNote({
  code: 'ICH1130',
  name: 'A deprecated API is in use',
  severity: 'warns',
  detail: 'Its clients fail with the version that removes it.',
})

export const uncheckedUpgrade = defineNote({
  code: 'ICH1131',
  name: 'Something could not be checked before an upgrade of Kubernetes',
  severity: 'info',
  detail: 'Deprecated APIs or charts may break with the new version.',
})

export const unsupportedChart = defineNote({
  code: 'ICH1132',
  name: 'A chart does not support the new version of Kubernetes',
  severity: 'warns',
  detail: 'The metadata of the chart lists the versions that it supports.',
})

export const keptVersion = defineNote({
  code: 'ICH1133',
  name: 'An adopted machine stays on its version',
  severity: 'info',
  detail: 'Adopting a cluster upgrades nothing.',
})

export const factoryUnasked = defineNote({
  code: 'ICH1134',
  name: 'The Image Factory could not be asked',
  severity: 'info',
  detail: 'Whether it has the version and the extensions shows when an image is fetched.',
})

export const otherArtifact = defineNote({
  code: 'ICH1155',
  name: 'Something to install does not match the lock file',
  severity: 'blocks',
  detail: 'What was locked is installed, or nothing.',
})

export const uncheckedLock = defineNote({
  code: 'ICH1136',
  name: 'The lock file could not be checked',
  severity: 'warns',
  detail: 'The run checks it again, and refuses what does not match.',
})

export const entersAdvisory = defineNote({
  code: 'ICH1137',
  name: 'The plan enters a combination with an advisory',
  severity: 'warns',
  detail: 'An advisory names it.',
})

export const leavesAdvisory = defineNote({
  code: 'ICH1138',
  name: 'The plan leaves a combination with an advisory',
  severity: 'info',
  detail: 'An advisory names what runs now.',
})
