export type { Lease, LeaseEnd } from './held-lease.js'
export { findLiveHolder, homesIn, intentIn, takeLease, unfinishedIn } from './lease.js'
export { ownPoolComment } from './lease-pools.js'
