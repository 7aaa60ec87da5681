import { expect, test } from 'vitest'
import { compareVersions, kubernetesRange, minorOf, parseVersion, type Version } from './version.js'

const version = (text: string): Version => {
  const parsed = parseVersion(text)
  if (parsed === undefined) throw new Error(`${text} is not a version`)
  return parsed
}

test.each([
  ['v1.13.9', 'v1.14.0-rc.1'],
  ['v1.14.0-rc.1', 'v1.14.0'],
  ['v1.14.0-rc.2', 'v1.14.0-rc.10'],
  ['1.9.0', '1.10.0'],
])('%s is older than %s', (older, newer) => {
  expect(compareVersions(version(older), version(newer))).toBeLessThan(0)
  expect(compareVersions(version(newer), version(older))).toBeGreaterThan(0)
})

test.each(['1.13', 'latest', 'v1', 'v1.2.3.4', '', 'v1.x.0'])('%j is not a version', (text) => {
  expect(parseVersion(text)).toBeUndefined()
})

test('Talos 1.8 takes the Kubernetes of the smallest example, and a Talos from the future what the newest one takes', () => {
  expect(kubernetesRange(version('v1.8.2'))).toEqual({ from: 26, to: 31 })
  expect(kubernetesRange(version('v1.30.0'))).toEqual(kubernetesRange(version('v1.14.0')))
  expect(kubernetesRange(version('v1.2.0'))).toBeUndefined()
  expect(minorOf(version('v1.8.2'))).toBe('v1.8')
})
