import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly dev?: boolean
  readonly license?: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

function lockedIn(file: string): Record<string, Locked> {
  return (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }).packages
}

const packages = lockedIn('package-lock.json')

describe.each(['package-lock.json', 'site/package-lock.json'])('%s', (file) => {
  const locked = lockedIn(file)

  test('every package of every platform is locked: npm ci refuses anything less (scripts/complete-lockfile.mjs adds them)', () => {
    const wanted = Object.values(locked).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(wanted.filter((name) => locked[`node_modules/${name}`] === undefined)).toEqual([])
  })

  test('what is installed is checked by its hash: only packages of other platforms, which a source did not have, lack one', () => {
    const unchecked = Object.entries(locked).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    const runsHere = unchecked.filter(([, { optional, os, cpu, libc }]) => {
      const isLinux = (os ?? ['linux']).includes('linux') && (cpu ?? ['x64']).includes('x64')
      return optional !== true || (isLinux && (libc ?? ['glibc']).includes('glibc'))
    })
    expect(runsHere.map(([path]) => path)).toEqual([])
  })

  test('the lockfile names no package source, so that it works with any', () => {
    expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([])
  })
})

/** Licences that an Apache-2.0 package may be shipped with. */
const allowedLicences = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']

test('whatever is installed with ichor has a licence that allows it', () => {
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  const others = shipped.filter(([, { license = 'none' }]) =>
    license
      .replace(/[()]/g, '')
      .split(/ AND | OR /)
      .some((one) => !allowedLicences.includes(one)),
  )
  expect(shipped.length).toBeGreaterThan(5)
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

test('no package runs a script when it is installed', () => {
  for (const file of ['.npmrc', 'site/.npmrc']) expect(readFileSync(file, 'utf8')).toMatch(/^ignore-scripts=true$/m)
})
