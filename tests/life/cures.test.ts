import { afterAll, beforeAll, expect, test } from 'vitest'
import { seen } from '../../src/cluster/seen.js'
import type { KubernetesApi } from '../../src/kubernetes/port.js'
import { curesOf } from '../../src/operations/cures.js'
import { inspect } from '../../src/operations/doctor.js'
import type { SavedLab } from '../../src/simulator/index.js'
import { byHand, type Hand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

const soon = () => AbortSignal.timeout(60_000)

/** `ichor doctor --fix` in a lab that is restored for each row. */
interface Row {
  readonly cure: string
  readonly code: string
  readonly plant: (stage: Stage, hand: Hand, kubernetes: KubernetesApi) => Promise<unknown>
  /** What the user has to decide. */
  readonly leaves?: readonly string[]
}

const uuidOf = ({ lab }: Stage, name: string) => lab.talos.machines().find((one) => one.name === name)?.uuid ?? ''

const rows: readonly Row[] = [
  {
    cure: 'a stopped VM is started',
    code: 'ICH0302',
    plant: (_stage, hand) => hand.stop('dev-wk-1'),
  },
  {
    cure: 'the ISO is detached',
    code: 'ICH0306',
    plant: (_stage, hand) =>
      hand.set('dev-wk-1', { ide2: 'local:iso/talos.iso,media=cdrom', boot: 'order=ide2;scsi0' }),
  },
  {
    cure: 'ballooning is turned off, with a restart',
    code: 'ICH0308',
    plant: (_stage, hand) => hand.set('dev-wk-1', { balloon: 1024 }),
  },
  {
    cure: 'a VM without its mark is marked again, once its node has proven itself',
    code: 'ICH0305',
    plant: (_stage, hand) => hand.set('dev-wk-1', { description: 'some notes of mine' }),
  },
  {
    cure: 'a machine that nobody wants any more is drained and deleted',
    code: 'ICH0316',
    plant: (stage) => stage.write('cluster.yaml', clusterYaml({ workers: 1 })),
  },
  {
    cure: 'a dead member is removed',
    code: 'ICH0510',
    leaves: ['ICH0506'],
    plant: async (stage, hand, kubernetes) => {
      await hand.remove('dev-cp-3')
      await kubernetes.deleteNode('dev-cp-3', soon())
      await stage.write('cluster.yaml', clusterYaml({ controlPlanes: 2 }))
    },
  },
  {
    cure: 'a member whose data is corrupt is created again',
    code: 'ICH0502',
    plant: async (stage) => stage.lab.talos.etcdAlarm(uuidOf(stage, 'dev-cp-3'), 'corrupt'),
  },
  {
    cure: 'a member that does not start with its data is created again',
    code: 'ICH0505',
    plant: async (stage, hand) => {
      stage.lab.talos.corruptEtcd(uuidOf(stage, 'dev-cp-3'))
      void hand
      await new Promise((resolve) => setTimeout(resolve, 1000))
    },
  },
]

let first: Stage
let saved: SavedLab

beforeAll(async () => {
  first = await aStage({
    files: { 'cluster.yaml': clusterYaml() },
    topology: aTopology({
      hosts: 3,
      files: [{ volid: 'local:iso/talos.iso' }],
      guests: [{ vmid: 104, name: 'db', host: 'pve1', cpus: 2, memory: 4 * 1024 ** 3, disk: 1024 ** 3, running: true }],
    }),
  })
  await first.up()
  saved = JSON.parse(JSON.stringify(first.lab.save()))
  // Its ports are free then, and the addresses in the configs stay true.
  await first.lab.close()
})
afterAll(() => first.close())

async function look(stage: Stage) {
  const { world } = await stage.connect()
  const beside = Promise.resolve({ expiries: [], backup: seen({}) })
  return inspect({ inventory: await stage.inventory(), world, env: {} }, beside, soon())
}

test.each(rows)('--fix: $cure, and then $code is found no more', async ({ code, plant, leaves = [] }) => {
  const stage = await aStage({ files: {}, folder: first.folder, resume: saved })
  try {
    const hand = await byHand(stage)
    await plant(stage, hand, hand.world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }]))
    const { facts, examination } = await look(stage)
    expect(examination.findings.map((finding) => finding.code)).toContain(code)
    await stage.cure(curesOf(examination.findings, code, facts).cures, { signal: AbortSignal.timeout(120_000) })
    const after = (await look(stage)).examination.findings
    expect(after.filter((finding) => finding.code === code)).toEqual([])
    const left = after.filter(({ severity }) => severity !== 'info').map((finding) => finding.code)
    expect(left.filter((one) => !leaves.includes(one))).toEqual([])
    expect((await hand.vm('db')).vmid).toBe(104)
  } finally {
    await stage.write('cluster.yaml', clusterYaml())
    await stage.close()
  }
})
