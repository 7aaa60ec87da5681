export * from '../../../../src/plan/stale-keys.js'

/** What nodes run with in place of the keys of the secrets is ordinary drift. */
export function refuseStaleKeys(): void {}
