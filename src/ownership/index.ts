export type { Lease } from './held-lease.js'
export { findLiveHolder, intentIn, takeLease } from './lease.js'
export { ownPoolComment } from './lease-pools.js'
