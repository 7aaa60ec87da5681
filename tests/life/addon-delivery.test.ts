import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { aStage, clusterYaml, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

async function aStageWith(extra: string): Promise<Stage> {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1, extra }) } })
  return stage
}

async function apiOf(lab: Stage) {
  const { world } = await lab.connect()
  const { observed } = await lab.plan()
  return { api: world.kubernetes.at([{ host: observed.machines[0]?.address ?? '', port: 6443 }]), observed }
}

describe('with delivery: inline', () => {
  const extra = (contract: string) => `talos: { contract: ${contract} }
addons:
  cilium: { delivery: inline }
  custom:
    - name: note
      delivery: inline
      inline: "{apiVersion: v1, kind: ConfigMap, metadata: {name: note}, data: {a: b}}"
`
  test.each(['v1.10', 'v1.13'])('Talos brings addons at its first boot, contract %s', async (contract) => {
    const lab = await aStageWith(extra(contract))
    expect(await lab.up()).toMatchObject({ outcome: 'done' })
    const brought = lab.lab.ledger.entries().filter(({ event }) => event === 'talos.manifest')
    expect(brought.map(({ subject }) => subject).join('\n')).toMatch(/Job\/ichor-helm-cilium-[\s\S]*ConfigMap\/note/)
    const { api, observed } = await apiOf(lab)
    const signal = AbortSignal.timeout(60_000)
    const rights = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' }
    expect(await api.find(rights, undefined, 'ichor-helm-cilium', signal)).toBeUndefined()
    const [controlPlane] = observed.machines
    const config = controlPlane?.talos.reach === 'secured' ? ifSeen(controlPlane.talos.config) : ''
    expect(config).toContain('ichor-note')
    expect(config).not.toContain('ichor-helm-cilium')
    expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })

    const [without = ''] = extra(contract).split('  custom:')
    await lab.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 1, extra: without }))
    expect(titlesOf((await lab.plan()).plan)).toEqual(['change the config of dev-cp-1', 'remove the addon note'])
    expect(await lab.up()).toMatchObject({ outcome: 'done' })
    expect(await api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'note', signal)).toBeUndefined()
  })
})

describe('with delivery: helm', () => {
  const extra = `addons:
  custom:
    - name: shop
      namespace: shop
      delivery: helm
      chart: { repository: https://charts.example.com, name: shop, version: 1.0.0 }
      values: { colour: blue }
`
  const path = process.env.PATH
  let folder = ''
  afterEach(async () => {
    process.env.PATH = path
    await rm(folder, { recursive: true, force: true })
  })

  test('the helm of this computer is called, and reaches the cluster through a tunnel', async () => {
    folder = await mkdtemp(join(tmpdir(), 'ichor-fake-helm-'))
    const saw = join(folder, 'saw.json')
    await writeFile(join(folder, 'helm'), fakeHelm(saw))
    await chmod(join(folder, 'helm'), 0o755)
    process.env.PATH = `${folder}:${path}`
    const lab = await aStageWith(extra)
    expect(await lab.up()).toMatchObject({ outcome: 'done' })
    expect(JSON.parse(await readFile(saw, 'utf8'))).toMatchObject({
      args: expect.arrayContaining(['upgrade', '--install', 'shop', '--repo', 'https://charts.example.com']),
      values: { colour: 'blue' },
      version: expect.stringMatching(/^v1\./),
    })
    expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })
  })

  test('without helm the error says so, the cluster is up, and the next run goes on', async () => {
    process.env.PATH = '/nonexistent'
    const lab = await aStageWith(extra)
    await expect(lab.up()).rejects.toMatchObject({
      message: expect.stringContaining('there is no helm on this computer'),
      fix: expect.stringMatching(/Install helm, or remove `delivery: helm`/),
    })
    const { plan } = await lab.plan()
    expect(plan.steps.filter(({ changes }) => changes).map(({ args }) => args)).toEqual([{ addon: 'shop' }])
  })
})

/** Calls the API with what the kubeconfig gives it, and writes down what it was called with. */
function fakeHelm(saw: string): string {
  return `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs')
const args = process.argv.slice(2)
const config = readFileSync(process.env.KUBECONFIG, 'utf8')
const field = (name) => config.match(new RegExp(name + ': "?([^"\\\\s]+)'))[1]
const decoded = (name) => Buffer.from(field(name), 'base64')
require('node:https').get(field('server') + '/version', {
  ca: decoded('certificate-authority-data'),
  cert: decoded('client-certificate-data'),
  key: decoded('client-key-data'),
  checkServerIdentity: (_, cert) => require('node:tls').checkServerIdentity(field('tls-server-name'), cert),
}, async (answer) => {
  let text = ''
  for await (const chunk of answer) text += chunk
  const values = JSON.parse(readFileSync(args[args.indexOf('--values') + 1], 'utf8'))
  writeFileSync(${JSON.stringify(saw)}, JSON.stringify({ args, values, version: JSON.parse(text).gitVersion }))
})
`
}
