import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { catalogue } from '../../src/addons/catalogue.js'
import { connect } from '../../src/connect.js'
import { loadInventory } from '../../src/inventory/index.js'
import { loadSpec } from '../../src/operations/spec/load-spec.js'
import { boundCredentials } from '../../src/secrets/bound-to.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { openSecretsStore } from '../../src/secrets/store.js'
import { sealed } from '../../src/trust/bound-seal.js'
import type { UnknownDestination } from '../../src/trust/proxmox-door.js'

const bundle = await generateBundle('v1.13')
const credential = 'the password of the logs'
let folder: string
let env: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-bound-addons-'))
  env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), ITS_SECRET: credential }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const options = catalogue.flatMap(({ name, options: known }) =>
  Object.entries(known).flatMap(([option, spec]) =>
    spec.kind === 'secret' ? [{ addon: name, option, address: spec.sentTo }] : [],
  ),
)
type Option = (typeof options)[number]

const home = 'https://ours.example/fleet.git'
const elsewhere = ['https://elsewhere.example/fleet.git', 'https://ours.example:8443/fleet.git', 'http://ours.example/']
const user = { vector: { elasticsearch_user: 'ichor' } } as Readonly<Record<string, object>>

interface Sitting {
  /** At a terminal, and what is answered there. */
  readonly answer?: boolean
}

/** What the addon would be given, or why it is refused, and what was asked. */
async function install({ addon, option, address }: Option, to: string, { answer }: Sitting = {}) {
  const addons = { [addon]: { ...user[addon], [address]: to, [option]: 'env:ITS_SECRET' } }
  const proxmox = '{ endpoint: "https://pve1.lan:8006" }'
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev\nsecrets: plain\nnetwork: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }\nproxmox: ${proxmox}\nallow_http: [ours.example]\naddons: ${JSON.stringify(addons)}\n`,
  )
  const asked: UnknownDestination[] = []
  const ask = async (unknown: UnknownDestination) => {
    asked.push(unknown)
    return answer ?? false
  }
  const inventory = await loadInventory(folder, { env: {} })
  const { world, close } = await connect(inventory, {
    env,
    notify: () => {},
    withoutProxmox: true,
    ...(answer === undefined ? {} : { askDestination: ask }),
  })
  try {
    const given = await loadSpec(inventory, { env, world: { secrets: world.secrets }, isLab: false }).then(
      ({ addons: planned }) => JSON.stringify(planned),
      (thrown: Error) => `refused: ${thrown.message}`,
    )
    return { given, asked }
  } finally {
    await close()
  }
}

const secretsHere = () => openSecretsStore({ folder, env, notify: () => {}, plain: true })
async function someSecrets() {
  await secretsHere().create({ bundle, memory: { bootstrapped: true, contract: 'v1.13', values: {} } })
}
const onAnotherComputer = () => Object.assign(env, { XDG_STATE_HOME: join(folder, `state-${Math.random()}`) })
const given = Buffer.from(credential).toString('base64')

test('the secrets of every addon have a place to be bound in', () => {
  expect(options.length).toBeGreaterThan(0)
  expect(options.filter(({ addon }) => !boundCredentials.some((one) => one === addon))).toEqual([])
})

test.each(options)(
  'the secret $option of $addon goes where the operator said once, and with the secrets that is so everywhere',
  async (option) => {
    await someSecrets()
    expect((await install(option, home)).given).toMatch(/^refused: It is not confirmed yet/)
    expect((await install(option, home, { answer: false })).given).toMatch(/^refused: /)
    const first = await install(option, home, { answer: true })
    expect(first.asked).toMatchObject([{ host: 'ours.example' }])
    expect(first.given).toContain(given)
    onAnotherComputer()
    expect((await install(option, home)).given).toContain(given)
  },
)

test.each(options.flatMap((option) => elsewhere.map((to) => ({ ...option, to }))))(
  'an inventory alone does not have the secret $option of $addon sent to $to',
  async ({ to, ...option }) => {
    await someSecrets()
    await install(option, home, { answer: true })
    expect((await install(option, to)).given).toMatch(/^refused: .* is bound to ours\.example:443/)
    const [question] = (await install(option, to, { answer: false })).asked
    expect(question?.before).toContain('ours.example:443')

    expect((await install(option, to, { answer: true })).given).toContain(given)
    expect((await install(option, home)).given).toMatch(/^refused: /)
  },
)

test.each(options)(
  'the secret that is bound for $addon is not given to another addon for another host',
  async (option) => {
    await someSecrets()
    await install(option, home, { answer: true })
    for (const other of options.filter(({ addon }) => addon !== option.addon))
      expect((await install(other, 'https://elsewhere.example/x.git')).given).toMatch(/^refused: .* is bound to ours/)
  },
)

test('a secrets file that others wrote does not bind the secret to their host', async () => {
  const theirs = { to: ['elsewhere.example:443'], pin: 'system', via: '' }
  const boundTo = { flux: sealed('flux', theirs, ['a guess'], undefined) }
  await secretsHere().create({ bundle, memory: { bootstrapped: true, contract: 'v1.13', values: {}, boundTo } })
  const flux = { addon: 'flux', option: 'key', address: 'repository' } as Option
  expect((await install(flux, 'https://elsewhere.example/x.git')).given).toMatch(/^refused: /)
})

test('what was confirmed before there were secrets is bound once there are some', async () => {
  const flux = { addon: 'flux', option: 'key', address: 'repository' } as Option
  expect((await install(flux, 'git@ours.example:fleet.git', { answer: true })).asked).toHaveLength(1)
  await someSecrets()
  expect((await install(flux, 'ssh://git@ours.example/fleet.git')).given).toContain(given)
  onAnotherComputer()
  expect((await install(flux, 'git@ours.example:fleet.git')).given).toContain(given)
})
