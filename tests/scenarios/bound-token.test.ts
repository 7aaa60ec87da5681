import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { atATerminal } from '../support/at-a-terminal.js'
import { anInventoryFolder, aTopology } from '../support/lab.js'

let lab: RunningLab
let folder: string
let env: Record<string, string>

beforeEach(async () => {
  folder = await anInventoryFolder({})
  env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), ICHOR_LAB_DIR: folder }
  // Not faster: it is used as a real Proxmox, whose clock must not run away from that of this computer.
  lab = await runLab({ topology: aTopology(), speed: 50 }, env)
  env.PROXMOX_VE_API_TOKEN = `${lab.info.token_id}=${lab.info.token_secret}`
  await anInventory()
})
afterEach(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

/** The same host under two addresses. */
const usual = 'https://10.0.10.1:8006'
const alias = () => lab.info.endpoint
const aliasHost = () => new URL(alias()).hostname

/** As somebody would write it who has this Proxmox. */
async function anInventory(proxmox: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { host, port: socks } = lab.info.socks
  const settings = { endpoint: usual, node: 'pve1', socks: `socks5://${host}:${socks}`, ...proxmox }
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
secrets: plain
control_plane_count: 1
worker_count: 0
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
talos: { factory_url: "${lab.info.factory}" }
proxmox: ${JSON.stringify(settings)}
`,
  )
}

const ichor = (words: readonly string[], answers?: readonly string[]) =>
  atATerminal([...words, '-i', folder], { folder, env, ...(answers === undefined ? {} : { answers }) })
const elsewhere = () => Object.assign(env, { XDG_STATE_HOME: join(folder, `state-${Math.random()}`) })
const secrets = () => readFile(join(folder, 'secrets.yaml'), 'utf8')
const withoutBinding = async () =>
  writeFile(join(folder, 'secrets.yaml'), (await secrets()).replace(/^ {4}proxmox:\n( {8}.*\n)+/m, ''))

/** Only the fingerprint stays. */
async function forgetBound(state: string): Promise<void> {
  for (const name of await readdir(state, { recursive: true })) {
    if (name.endsWith('bound.json')) await rm(join(state, name))
  }
}

test('one question at the first use; with the secrets the answer goes to other computers; a cluster from before is bound unasked', async () => {
  expect(await ichor(['plan'])).toMatchObject({ code: 3, text: expect.stringContaining('PROXMOX_VE_ENDPOINT=') })
  expect(await ichor(['plan'], ['n'])).toMatchObject({ code: 2, questions: 1 })
  expect(await ichor(['plan'], ['y'])).toMatchObject({ code: 0, questions: 1 })
  expect(await ichor(['plan'], [])).toMatchObject({ code: 0, questions: 0 })
  expect(await ichor(['up', '--until', 'vms', '--yes'])).toMatchObject({ code: 0 })
  expect(await secrets()).toContain('bound_to:')

  const { XDG_STATE_HOME: state = '' } = env
  elsewhere()
  expect(await ichor(['plan'])).toMatchObject({ code: 0 })

  // As a release before left both.
  await withoutBinding()
  expect(await ichor(['plan'])).toMatchObject({ code: 3 })
  env.XDG_STATE_HOME = state
  await forgetBound(state)
  expect(await ichor(['up', '--until', 'vms', '--yes'])).toMatchObject({ code: 0 })
  expect(await secrets()).toContain('bound_to:')
})

test('another address is refused, or its name is typed: then the token is bound to that one alone', async () => {
  expect(await ichor(['secrets', 'init'])).toMatchObject({ code: 0 })
  expect(await ichor(['plan'], ['y'])).toMatchObject({ code: 0, questions: 1 })
  const { XDG_STATE_HOME: first = '' } = env
  elsewhere()
  await anInventory({ endpoint: alias() })
  expect(await ichor(['plan'])).toMatchObject({ code: 3, text: expect.stringContaining('is bound to 10.0.10.1:8006') })
  expect(await ichor(['plan'], ['yes'])).toMatchObject({ code: 3, questions: 1 })
  expect(await ichor(['plan'], [aliasHost()])).toMatchObject({ code: 0, questions: 1 })

  elsewhere()
  expect(await ichor(['plan'])).toMatchObject({ code: 0 })
  await anInventory()
  expect(await ichor(['plan'])).toMatchObject({ code: 3 })
  // Nor on the computer where the former address was confirmed.
  env.XDG_STATE_HOME = first
  expect(await ichor(['plan'])).toMatchObject({ code: 3 })
})

test('what a refusal says to set is enough', async () => {
  await anInventory({ fingerprint: lab.info.fingerprint })
  for (const fingerprint of [lab.info.fingerprint, undefined]) {
    await anInventory(fingerprint === undefined ? { insecure: true } : { fingerprint })
    const { code, text } = await ichor(['plan'])
    const [, name = '', value = ''] =
      /set (ICHOR_PROXMOX_BOUND_TO)='([^']+)' in its environment/.exec(text.replace(/\n\s*/g, ' ')) ?? []
    expect([code, name]).toEqual([3, 'ICHOR_PROXMOX_BOUND_TO'])
    env[name] = value
    expect(await ichor(['plan'])).toMatchObject({ code: 0 })
  }
})

test('a token that is made by ichor access is bound with it, and so is its renewal', async () => {
  Object.assign(env, { PROXMOX_VE_USERNAME: 'root@pam', PROXMOX_VE_PASSWORD: lab.info.root_password })
  delete env.PROXMOX_VE_API_TOKEN
  await anInventory({ token_secret: 'secret:proxmox.token' })
  expect(await ichor(['access', '--yes'])).toMatchObject({ code: 3 })
  expect(await ichor(['access', '--yes'], ['y'])).toMatchObject({ code: 0, questions: 1 })
  elsewhere()
  expect(await ichor(['plan'])).toMatchObject({ code: 0 })
  expect(await ichor(['access', '--renew', '--yes'])).toMatchObject({ code: 0 })
  elsewhere()
  expect(await ichor(['plan'])).toMatchObject({ code: 0 })

  await anInventory({ token_secret: 'secret:proxmox.token', endpoint: alias() })
  expect(await ichor(['access', '--yes'])).toMatchObject({ code: 3 })
})
