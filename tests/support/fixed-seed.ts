import fc from 'fast-check'

/** Generated cases are the same in every run, so that a change never fails by luck; `ICHOR_SEED=random` hunts for new ones. */
const { ICHOR_SEED: seed = '20' } = process.env
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
