import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }

test('every package of every platform is locked: npm ci refuses anything less (scripts/complete-lockfile.mjs adds them)', () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
  expect(wanted.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([])
})

test('what is installed is checked by its hash: only packages of other platforms, which a source did not have, lack one', () => {
  const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
  const runsHere = unchecked.filter(([, { optional, os, cpu, libc }]) => {
    const isLinux = (os ?? ['linux']).includes('linux') && (cpu ?? ['x64']).includes('x64')
    return optional !== true || (isLinux && (libc ?? ['glibc']).includes('glibc'))
  })
  expect(runsHere.map(([path]) => path)).toEqual([])
})

test('the lockfile names no package source, so that it works with any', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})
