import { test } from 'vitest'
import { killedAtItsCalls } from '../support/killed-story.js'
import {
  emptyVmStarted,
  halfLost,
  hostBack,
  hostEvacuated,
  oldSecrets,
  oldSecretsWithoutFirst,
  resetAndWantedAgain,
  resetElsewhere,
  seedOfDeletedVm,
  seedOfMovedVm,
  surplusDeletedByHand,
  surplusVotes,
  systemDiskLost,
} from '../support/worst-day-stories.js'

const stories = [
  halfLost,
  systemDiskLost,
  oldSecrets,
  oldSecretsWithoutFirst,
  surplusDeletedByHand,
  surplusVotes,
  resetAndWantedAgain,
  resetElsewhere,
  emptyVmStarted,
  seedOfDeletedVm,
  seedOfMovedVm,
  hostEvacuated,
  hostBack,
]

for (const story of stories)
  test(`killed at its calls, and finished by the next run: ${story.name}`, () => killedAtItsCalls(story))
