import { expect, test } from 'vitest'
import { hasArrived, isNoWay, nextHop, type Route } from './upgrade-path.js'

const releases = ['v1.10.0', 'v1.10.9', 'v1.11.6', 'v1.11.5', 'v1.12.11', 'v1.13.9', 'v1.14.0-rc.1', 'v1.14.1']

interface Versions {
  readonly talos: string
  readonly kubernetes: string
}

function route(from: Versions, to: Versions, more: Partial<Route> = {}): Route {
  return {
    talos: { running: from.talos.split(' '), wanted: to.talos },
    kubernetes: { running: from.kubernetes.split(' '), wanted: to.kubernetes },
    releases,
    ...more,
  }
}

/** Follows each hop until none is left. */
function wayOf(start: Versions, to: Versions): string[] {
  const way: string[] = []
  let at = start
  for (let hops = 0; hops < 20; hops++) {
    const hop = nextHop(route(at, to))
    if (hop === undefined) return way
    if (isNoWay(hop)) return [...way, hop.problem]
    way.push(`${hop.kind} ${hop.to}`)
    at = { ...at, [hop.kind]: hop.to }
  }
  return way
}

test.each([
  ['nothing', 'v1.13.9 v1.36.3', 'v1.13.9 v1.36.3', []],
  ['a patch', 'v1.13.8 v1.36.3', 'v1.13.9 v1.36.3', ['talos v1.13.9']],
  ['a patch back', 'v1.13.9 v1.36.3', 'v1.13.7 v1.36.3', ['talos v1.13.7']],
  ['a minor, then Kubernetes', 'v1.12.4 v1.35.4', 'v1.13.9 v1.36.3', ['talos v1.13.9', 'kubernetes v1.36.3']],
  [
    'three minors, each by its last patch',
    'v1.10.3 v1.33.6',
    'v1.13.9 v1.33.6',
    ['talos v1.11.6', 'talos v1.12.11', 'talos v1.13.9'],
  ],
  [
    'three minors with the Kubernetes that each brings',
    'v1.10.3 v1.30.0',
    'v1.13.2 v1.36.3',
    [
      'talos v1.11.6',
      'talos v1.12.11',
      'kubernetes v1.31.13',
      'talos v1.13.2',
      'kubernetes v1.32.9',
      'kubernetes v1.33.6',
      'kubernetes v1.34.1',
      'kubernetes v1.35.4',
      'kubernetes v1.36.3',
    ],
  ],
  [
    'Kubernetes alone, minor by minor',
    'v1.13.9 v1.34.0',
    'v1.13.9 v1.36.3',
    ['kubernetes v1.35.4', 'kubernetes v1.36.3'],
  ],
])('%s: from %s to %s', (_, from, to, way) => {
  const [talos = '', kubernetes = ''] = from.split(' ')
  const [wantedTalos = '', wantedKubernetes = ''] = to.split(' ')
  expect(wayOf({ talos, kubernetes }, { talos: wantedTalos, kubernetes: wantedKubernetes })).toEqual(way)
})

test('what was begun is finished before anything else begins', () => {
  const wanted = { talos: 'v1.13.9', kubernetes: 'v1.36.3' }
  expect(nextHop(route({ talos: 'v1.12.4 v1.13.9', kubernetes: 'v1.35.4' }, wanted))).toEqual({
    kind: 'talos',
    from: 'v1.12.4',
    to: 'v1.13.9',
  })
  expect(nextHop(route({ talos: 'v1.12.4', kubernetes: 'v1.34.1 v1.35.4' }, wanted))).toEqual({
    kind: 'kubernetes',
    from: 'v1.34.1',
    to: 'v1.35.4',
  })
})

test.each([
  ['v1.13.9 v1.36.3', 'v1.12.11 v1.35.4', 'Talos cannot be downgraded to another minor version'],
  ['v1.13.9 v1.36.3', 'v1.13.9 v1.35.4', 'Kubernetes cannot be downgraded to another minor version'],
  ['v1.13.9 v1.36.3', 'v1.13.9 v1.37.0', 'Talos v1.13 takes Kubernetes v1.31 to v1.36, and not v1.37'],
  ['v1.13.9 v1.31.0', 'v1.14.1 v1.31.0', 'Talos v1.14 takes Kubernetes v1.32 to v1.37, and not v1.31'],
])('from %s to %s is refused: %s', (from, to, problem) => {
  const [talos = '', kubernetes = ''] = from.split(' ')
  const [wantedTalos = '', wantedKubernetes = ''] = to.split(' ')
  const hop = nextHop(route({ talos, kubernetes }, { talos: wantedTalos, kubernetes: wantedKubernetes }))
  expect(isNoWay(hop) ? hop.problem : hop).toContain(problem)
})

test('the releases on the way are those of the factory, or those that the inventory lists', () => {
  const [from, to] = [
    { talos: 'v1.11.0', kubernetes: 'v1.33.6' },
    { talos: 'v1.13.9', kubernetes: 'v1.33.6' },
  ]
  const unknown = nextHop(route(from, to, { releases: undefined }))
  expect(isNoWay(unknown) && unknown.where).toBe('talos.upgrade_path')
  const path = ['v1.11.6', 'v1.12.5']
  expect(nextHop(route(from, to, { releases: undefined, path }))).toMatchObject({ to: 'v1.11.6' })
  expect(nextHop(route({ ...from, talos: 'v1.11.6' }, to, { releases: undefined, path }))).toMatchObject({
    to: 'v1.12.5',
  })
  expect(nextHop(route({ ...from, talos: 'v1.12.5' }, to, { releases: undefined, path }))).toMatchObject({
    to: 'v1.13.9',
  })
})

test('where nothing runs yet there is nothing to go through', () => {
  const nothing = { running: [], wanted: 'v1.13.9' }
  expect(
    nextHop({ talos: nothing, kubernetes: { running: [], wanted: 'v1.36.3' }, releases: undefined }),
  ).toBeUndefined()
})

test('another patch of a minor on the way has arrived as well; the last hop wants its very version', () => {
  const onTheWay = { from: 'v1.11.6', to: 'v1.12.11' }
  expect(hasArrived('v1.12.10', onTheWay, 'v1.13.9')).toBe(true)
  expect(hasArrived('v1.11.6', onTheWay, 'v1.13.9')).toBe(false)
  expect(hasArrived('v1.11.0', { from: 'v1.11.0', to: 'v1.11.6' }, 'v1.13.9')).toBe(false)
  expect(hasArrived('v1.13.8', { from: 'v1.12.11', to: 'v1.13.9' }, 'v1.13.9')).toBe(false)
})
