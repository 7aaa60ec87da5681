import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { etcdNeverLostItsMajority } from '../support/quorum.js'

let stage: Stage
afterEach(() => stage.close())

const vip = '10.0.10.5'

function yaml(talos: string, { controlPlanes = 3, workers = 3, extra = '' } = {}): string {
  return clusterYaml({ controlPlanes, workers, extra })
    .replace('v1.13.9', talos)
    .replace('gateway: 10.0.10.254', `gateway: 10.0.10.254\n  vip: ${vip}`)
}

async function versions(): Promise<string[]> {
  const { observed } = await stage.plan()
  return observed.machines.map(
    ({ name, talos }) => `${name} ${talos.reach === 'secured' ? talos.version : talos.reach}`,
  )
}

test('a patch release of Talos: control planes one by one, then workers, and nothing is ever missing', async () => {
  stage = await aStage({ speed: 500, files: { 'cluster.yaml': yaml('v1.13.8') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  await stage.write('cluster.yaml', yaml('v1.13.9'))
  const started = stage.lab.clock.now()
  const { plan } = await stage.plan()
  console.log(plan.rounds, plan.steps.map((s) => `${s.round} ${s.title}: ${s.reason}`).join('\n'), plan.notes)
  expect(
    await stage.up({
      onEvent: (e) =>
        process.stderr.write(
          `${Math.round((stage.lab.clock.now() - started) / 1000)} ${JSON.stringify(e).slice(0, 250)}\n`,
        ),
    }),
  ).toMatchObject({ outcome: 'done' })
  expect(new Set((await versions()).map((text) => text.split(' ')[1]))).toEqual(new Set(['v1.13.9']))
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  etcdNeverLostItsMajority(stage.lab)
  const { availability } = stage.lab
  console.log(availability.apiOutages(vip).filter(({ from }) => from >= started))
  console.log(availability.mostAway(['dev-wk-1', 'dev-wk-2', 'dev-wk-3']))
  console.log((stage.lab.clock.now() - started) / 1000)
  console.log(await readdir(join(stage.folder, 'backups.lab')))
}, 60_000)
