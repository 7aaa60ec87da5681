export type { Lease } from './held-lease.js'
export { findLiveHolder, homesIn, intentIn, takeLease } from './lease.js'
export { ownPoolComment } from './lease-pools.js'
