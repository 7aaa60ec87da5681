import { expect, test } from 'vitest'
import { minorOf, newestTalosMinor, oldestTalosMinor, parseVersion } from '../src/cluster/version.js'
import { versions } from '../src/simulator/factory/catalogue.js'

test('the factory of the lab has releases of exactly the minor versions that an inventory may name', () => {
  const built = new Set(versions.flatMap((text) => parseVersion(text) ?? []).map((version) => minorOf(version)))
  const known = Array.from(
    { length: newestTalosMinor - oldestTalosMinor + 1 },
    (_, index) => `v1.${oldestTalosMinor + index}`,
  )
  expect([...built]).toEqual(known)
})
