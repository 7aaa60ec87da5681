import type { ChartTable } from './chart.js'
import { gitopsCharts } from './gitops.js'
import { networkCharts } from './network.js'
import { observabilityCharts } from './observability.js'
import { storageCharts } from './storage.js'

/** Every chart that the lab's helm can install. Any other one fails with its name. */
export const charts: readonly ChartTable[] = [
  ...networkCharts,
  ...storageCharts,
  ...observabilityCharts,
  ...gitopsCharts,
]
