import { vi } from 'vitest'
import { fixedBundle, withFixedId } from './fixed-secrets.js'
import { recorder } from './recorder.js'

vi.mock('../../../src/inventory/examine.js', async (load) => {
  const real = await load<typeof import('../../../src/inventory/examine.js')>()
  const examine: typeof real.examine = async (files) => recorder.examined(files, await real.examine(files))
  return { ...real, examine }
})

vi.mock('../../../src/secrets/rotation.js', async (load) => {
  const real = await load<typeof import('../../../src/secrets/rotation.js')>()
  const plannedFile: typeof real.plannedFile = (file, state, fresh) =>
    recorder.predicted(file, real.plannedFile(file, state, fresh))
  return { ...real, plannedFile }
})

vi.mock('../../../src/desired/resolve-desired.js', async (load) => {
  const real = await load<typeof import('../../../src/desired/resolve-desired.js')>()
  const resolveDesired: typeof real.resolveDesired = (spec, observed) =>
    recorder.resolved('up', spec, observed, () => real.resolveDesired(spec, observed))
  return { ...real, resolveDesired }
})

vi.mock('../../../src/desired/desired-teardown.js', async (load) => {
  const real = await load<typeof import('../../../src/desired/desired-teardown.js')>()
  const desiredTeardown: typeof real.desiredTeardown = (spec, observed) =>
    recorder.resolved('destroy', spec, observed, () => real.desiredTeardown(spec, observed))
  return { ...real, desiredTeardown }
})

vi.mock('../../../src/desired/desired-shutdown.js', async (load) => {
  const real = await load<typeof import('../../../src/desired/desired-shutdown.js')>()
  const desiredShutdown: typeof real.desiredShutdown = (spec, how, observed) =>
    recorder.resolved('shutdown', spec, observed, () => real.desiredShutdown(spec, how, observed))
  return { ...real, desiredShutdown }
})

vi.mock('../../../src/rounds/plan-eject.js', async (load) => {
  const real = await load<typeof import('../../../src/rounds/plan-eject.js')>()
  const planEjectRound: typeof real.planEjectRound = (desired, observed, round) =>
    recorder.planned('eject', desired, observed, round, () => real.planEjectRound(desired, observed, round))
  return { ...real, planEjectRound }
})

vi.mock('../../../src/rounds/plan-shutdown.js', async (load) => {
  const real = await load<typeof import('../../../src/rounds/plan-shutdown.js')>()
  const planShutdownRound: typeof real.planShutdownRound = (desired, observed, round) =>
    recorder.planned('shutdown', desired, observed, round, () => real.planShutdownRound(desired, observed, round))
  return { ...real, planShutdownRound }
})

vi.mock('../../../src/desired/desired-restore.js', async (load) => {
  const real = await load<typeof import('../../../src/desired/desired-restore.js')>()
  const desiredRestore: typeof real.desiredRestore = (desired, restore, observed) =>
    recorder.restoring(desired, restore, real.desiredRestore(desired, restore, observed))
  return { ...real, desiredRestore }
})

vi.mock('../../../src/operations/goals.js', async (load) => {
  const real = await load<typeof import('../../../src/operations/goals.js')>()
  const targeted: typeof real.targeted = (goal, machines) => {
    const target = real.targeted(goal, machines)
    return {
      ...target,
      planRound: (...round) => recorder.within({ target: machines }, () => target.planRound(...round)),
    }
  }
  const limited: typeof real.limited = (goal, limit) => {
    const made = real.limited(goal, limit)
    return { ...made, planRound: (...round) => recorder.within({ limit }, () => made.planRound(...round)) }
  }
  return { ...real, targeted, limited }
})

vi.mock('../../../src/rounds/plan-round.js', async (load) => {
  const real = await load<typeof import('../../../src/rounds/plan-round.js')>()
  const planRound: typeof real.planRound = (desired, observed, round) =>
    recorder.planned('up', desired, observed, round, () => real.planRound(desired, observed, round))
  return { ...real, planRound }
})

vi.mock('../../../src/rounds/plan-destroy.js', async (load) => {
  const real = await load<typeof import('../../../src/rounds/plan-destroy.js')>()
  const planDestroyRound: typeof real.planDestroyRound = (desired, observed, round) =>
    recorder.planned('destroy', desired, observed, round, () => real.planDestroyRound(desired, observed, round))
  return { ...real, planDestroyRound }
})

vi.mock('../../../src/plan/etcd/plan-restore.js', async (load) => {
  const real = await load<typeof import('../../../src/plan/etcd/plan-restore.js')>()
  const planRestoreRound: typeof real.planRestoreRound = (desired, observed, round) =>
    recorder.planned('restore', desired, observed, round, () => real.planRestoreRound(desired, observed, round))
  return { ...real, planRestoreRound }
})

vi.mock('../../../src/rounds/plan-rounds.js', async (load) => {
  const real = await load<typeof import('../../../src/rounds/plan-rounds.js')>()
  const planRounds: typeof real.planRounds = (planner, observed, digester) =>
    recorder.predicting(() => real.planRounds(planner, observed, digester))
  return { ...real, planRounds }
})

vi.mock('../../../src/secrets/generate.js', async (load) => {
  const real = await load<typeof import('../../../src/secrets/generate.js')>()
  return { ...real, generateBundle: (contract: string) => fixedBundle(contract, () => real.generateBundle(contract)) }
})

vi.mock('../../../src/secrets-store.js', async (load) => {
  const real = await load<typeof import('../../../src/secrets-store.js')>()
  const secretsStore: typeof real.secretsStore = (inventory, options) => {
    const store = real.secretsStore(inventory, options)
    return { ...store, create: ({ bundle, memory }) => store.create({ bundle: withFixedId(bundle), memory }) }
  }
  return { ...real, secretsStore }
})

vi.mock('../../../src/plan/consent.js', async (load) => {
  const real = await load<typeof import('../../../src/plan/consent.js')>()
  const consentTo: typeof real.consentTo = (shown, seenFirst) => {
    const consent = real.consentTo(shown, seenFirst)
    return (steps) => recorder.consenting(seenFirst, steps, () => consent(steps))
  }
  return { ...real, consentTo }
})

vi.mock('../../../src/desired/desired-administration.js', async (load) => {
  const real = await load<typeof import('../../../src/desired/desired-administration.js')>()
  const desiredAdministration: typeof real.desiredAdministration = (spec, observed) =>
    recorder.resolved('administer', spec, observed, () => real.desiredAdministration(spec, observed))
  return { ...real, desiredAdministration }
})

vi.mock('../../../src/rounds/plan-administration.js', async (load) => {
  const real = await load<typeof import('../../../src/rounds/plan-administration.js')>()
  const planAdministration: typeof real.planAdministration = (desired, observed, round) =>
    recorder.planned('administer', desired, observed, round, () => real.planAdministration(desired, observed, round))
  const planAdministrationRemoval: typeof real.planAdministrationRemoval = (desired, observed, round) =>
    recorder.planned('removeAdministration', desired, observed, round, () =>
      real.planAdministrationRemoval(desired, observed, round),
    )
  return { ...real, planAdministration, planAdministrationRemoval }
})
