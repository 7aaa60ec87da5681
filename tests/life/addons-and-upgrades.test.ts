import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

const before = clusterYaml({
  controlPlanes: 1,
  workers: 1,
  extra: 'secrets: plain\nbackup: { etcd: { recipients: [RECIPIENT] } }\n',
})
  .replace('v1.13.9', 'v1.13.8')
  .replace('RECIPIENT', 'age1xksz8hewc2sf45m6yws9lqsnzzgkw09whv0p7k4nwhlll0x7pu5se7eh2t')

/** What needs something of its machines waits for the Talos that brings it. */
test.each([
  {
    what: 'metrics_server with another Talos',
    addon: 'metrics_server',
    change: (yaml: string) => yaml.replace('v1.13.8', 'v1.13.9'),
  },
  { what: 'longhorn, which needs extensions', addon: 'longhorn', change: (yaml: string) => yaml },
])(
  '$what: machines are upgraded first, and one up is enough',
  async ({ addon, change }) => {
    stage = await aStage({ speed: 500, files: { 'cluster.yaml': before } })
    await stage.up()
    await stage.write('cluster.yaml', `${change(before)}addons: { ${addon}: true }\n`)
    const { plan } = await stage.plan()
    const kinds = plan.steps
      .filter(({ kind, args }) => kind === 'upgrade-machine' || args.addon === addon)
      .map(({ kind }) => kind)
    expect(kinds).toEqual(['upgrade-machine', 'upgrade-machine', 'install-addon'])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  },
  120_000,
)
