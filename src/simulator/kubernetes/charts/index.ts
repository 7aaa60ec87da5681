import type { ChartTable } from './chart.js'
import { gitopsCharts } from './gitops.js'
import { networkCharts } from './network.js'
import { observabilityCharts } from './observability.js'
import { storageCharts } from './storage.js'

/** Every chart that the lab's helm can install. Any other fails and names itself. */
export const charts: readonly ChartTable[] = [
  ...networkCharts,
  ...storageCharts,
  ...observabilityCharts,
  ...gitopsCharts,
]
