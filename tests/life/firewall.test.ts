import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import {
  aStanding,
  bad,
  fromStanding,
  good,
  operator,
  probingNodes,
  rulesOf,
  type Standing,
  switchOn,
  vmRulesOf,
  withFirewall,
} from '../support/firewall-stories.js'
import { aStage, aTopology, type Stage } from '../support/lab.js'

let standing: Standing
beforeAll(async () => {
  standing = await aStanding()
})

const controlPlane = ['kubernetes-api', 'etcd', 'trustd', 'talos-api', 'kubelet']
const ofControlPlane = { active: expect.arrayContaining(controlPlane), kept: expect.arrayContaining(controlPlane) }
const ofWorker = {
  active: expect.arrayContaining(['talos-api', 'kubelet']),
  kept: expect.not.arrayContaining(['etcd']),
}
const none = { active: [], kept: [] }

function hasRules(stage: Stage, name: string): boolean {
  return rulesOf(stage, name).active.length > 0
}

function firewallSteps({ events }: Stage): string[] {
  return events.flatMap((event) =>
    event.type === 'step.undone' || event.type === 'step.finished'
      ? /firewall/.test(event.step)
        ? [`${event.type} ${event.step}`]
        : []
      : [],
  )
}

/** Whether the socket of a node takes a connection of the operator and keeps it. */
function isOpen({ lab }: Stage, address: string, port: number): Promise<boolean> {
  const target = lab.network.resolve(address, port)
  if (target === undefined) throw new Error(`nothing listens on ${address}:${port}`)
  return new Promise((resolve) => {
    const socket = connect(target)
    socket.once('close', () => resolve(false))
    socket.on('error', () => {})
    setTimeout(() => {
      resolve(!socket.destroyed)
      socket.destroy()
    }, 100)
  })
}

test('a firewall that lets the operator in is tried, proven and kept, one machine after the other', async () => {
  await fromStanding(standing, good, async (stage) => {
    const { plan } = await stage.plan()
    expect(plan.steps.filter(({ kind }) => kind === 'set-firewall').map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^rules for .*etcd, kubernetes-api/),
      expect.stringMatching(/^rules for .*talos-api/),
    ])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(ofControlPlane)
    expect(rulesOf(stage, 'dev-wk-1')).toEqual(ofWorker)
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    expect(await isOpen(stage, '10.0.10.10', 50_000)).toBe(true)
    expect(stage.lab.network.canConnect(operator, '10.0.10.10', 2380)).toBe(false)
    expect(stage.lab.network.canConnect('10.98.0.1', '10.0.10.10', 6443)).toBe(false)
    expect(stage.lab.network.canConnect('10.0.10.20', '10.0.10.10', 2380)).toBe(true)
  })
})

test('a firewall that cuts the operator off is rolled back by Talos, and the run says why', async () => {
  await fromStanding(standing, bad, async (stage) => {
    await expect(stage.up()).rejects.toThrow(/^set the firewall of dev-cp-1.*: The change was rolled back: /)
    expect([rulesOf(stage, 'dev-cp-1'), rulesOf(stage, 'dev-wk-1')]).toEqual([none, none])
    expect(firewallSteps(stage)).toEqual(['step.undone set-firewall?{"machine":"dev-cp-1"}'])
    expect(await isOpen(stage, '10.0.10.10', 50_000)).toBe(true)
  })
})

test('while it is tried, the socket of the node is closed to whoever no rule names', async () => {
  await fromStanding(standing, bad, async (stage) => {
    let wasOpen: Promise<boolean> | undefined
    const onEvent = (event: Stage['events'][number]) => {
      if (event.type === 'step.noted' && event.text.startsWith('tried for'))
        wasOpen = isOpen(stage, '10.0.10.10', 50_000)
    }
    await expect(stage.up({ onEvent })).rejects.toThrow()
    expect(await wasOpen).toBe(false)
  })
})

test('rules under which the nodes do not reach each other are rolled back', async () => {
  await fromStanding(standing, good, async (stage) => {
    // As behind a router that translates: the control plane comes with another address than the inventory says.
    stage.lab.network.filters.add(
      ({ from, to, port }) => !(port === 50_000 && from === '10.0.10.10' && to === '10.0.10.20'),
    )
    await expect(stage.up()).rejects.toThrow(/^set the firewall of dev-wk-1.*: The change was rolled back: /)
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(ofControlPlane)
    expect(rulesOf(stage, 'dev-wk-1')).toEqual(none)
  })
})

test.each([
  { port: 2379, what: 'etcd', reason: /dev-wk-1 does not reach 10\.0\.10\.10:2379/ },
  { port: 2380, what: 'the peers of etcd', reason: /dev-wk-1 does not reach 10\.0\.10\.10:2380/ },
  { port: 6443, what: 'the Kubernetes API', reason: /dev-wk-1 does not reach 10\.0\.10\.10:6443/ },
  { port: 50_001, what: 'trustd', reason: /dev-wk-1 does not reach 10\.0\.10\.10:50001/ },
  { port: 10_250, what: 'the kubelet', reason: /dev-wk-1 does not reach 10\.0\.10\.10:10250/ },
])(
  'rules under which another node does not reach $what are rolled back, and its probes are gone',
  async ({ port: lost, reason }) => {
    await fromStanding(standing, good, async (stage) => {
      stage.lab.network.filters.add(
        ({ from, to, port, isNew }) =>
          !(isNew && port === lost && from === '10.0.10.20' && to === '10.0.10.10' && hasRules(stage, 'dev-cp-1')),
      )
      const thrown = await stage.up().catch((error: Error) => error.message)
      expect(thrown).toMatch(/^set the firewall of dev-cp-1.*: The change was rolled back: /)
      expect(thrown).toMatch(reason)
      expect(rulesOf(stage, 'dev-cp-1')).toEqual(none)
      expect(probingNodes(stage)).toEqual([])
    })
  },
)

test('rules under which the API server does not reach the kubelet of a node are rolled back, with a Talos that has no probes, too', async () => {
  const older = (yaml: string) => yaml.replace('v1.13.9', 'v1.12.11')
  await fromStanding(await aStanding(1, older), older(good), async (stage) => {
    stage.lab.network.filters.add(
      ({ to, port, isNew }) => !(isNew && port === 10_250 && to === '10.0.10.20' && hasRules(stage, 'dev-wk-1')),
    )
    await expect(stage.up()).rejects.toThrow(
      /^set the firewall of dev-wk-1.*: The change was rolled back: .*reach the kubelet of dev-wk-1 from 10\.0\.10\.10.*i\/o timeout/,
    )
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(ofControlPlane)
    expect(rulesOf(stage, 'dev-wk-1')).toEqual(none)
  })
})

test('probes that a killed run has left are no drift, and reach no disk', async () => {
  const probing = await fromStanding(standing, good, async (stage) => {
    let saved: Standing['lab'] | undefined
    const onEvent = (event: Stage['events'][number]) => {
      const isReached = event.type === 'step.noted' && event.text.includes('over new connections')
      if (!isReached || saved !== undefined || probingNodes(stage).length === 0) return
      saved = stage.lab.save()
    }
    await stage.up({ onEvent })
    expect(probingNodes(stage)).toEqual([])
    if (saved === undefined) throw new Error('nobody dialled')
    return { ...standing, lab: saved }
  })
  await fromStanding(probing, withFirewall('  enabled: false\n'), async (stage) => {
    expect(probingNodes(stage)).toEqual(['dev-wk-1'])
    expect(stage.lab.talos.configOf('dev-wk-1').persisted).not.toContain('ichor-reach')
    const { plan } = await stage.plan()
    expect(plan.steps.filter(({ args }) => args.machine === 'dev-wk-1').map(({ kind }) => kind)).toEqual([])
  })
  await fromStanding(probing, good, async (stage) => {
    expect(await stage.up({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
    expect(probingNodes(stage)).toEqual([])
    expect(rulesOf(stage, 'dev-wk-1')).toEqual(ofWorker)
  })
})

test('rules under which etcd loses a member are rolled back, although the Talos API is still reached', async () => {
  const three = good.replace('control_plane_count: 1', 'control_plane_count: 3')
  await fromStanding(await aStanding(3), three, async (stage) => {
    // As where the packets of etcd take another way, with addresses that the rules do not name.
    stage.lab.network.filters.add(
      ({ to, port }) => !(port === 2380 && to === '10.0.10.10' && hasRules(stage, 'dev-cp-1')),
    )
    await expect(stage.up()).rejects.toThrow(
      /^set the firewall of dev-cp-1.*: The change was rolled back: .*lost their leader/,
    )
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(none)
  })
})

test('another change of the config leaves the firewall alone, and switching it off opens the nodes', async () => {
  await fromStanding(standing, good, async (stage) => {
    await stage.up()
    await stage.write('cluster.yaml', `${good}talos:\n  sysctls: { vm.max_map_count: "262144" }\n`)
    const { plan } = await stage.plan()
    expect(plan.steps.map(({ kind }) => kind)).not.toContain('set-firewall')
    await stage.up()
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(ofControlPlane)
    await stage.write('cluster.yaml', withFirewall('  enabled: false\n'))
    await stage.up()
    expect([rulesOf(stage, 'dev-cp-1'), rulesOf(stage, 'dev-wk-1')]).toEqual([none, none])
  })
})

test('a run that is killed in a trial leaves nothing: Talos goes back, and the next run tries again', async () => {
  const tried = await fromStanding(standing, good, async (stage) => {
    let saved: Standing['lab'] | undefined
    const onEvent = (event: Stage['events'][number]) => {
      if (event.type !== 'step.noted' || !event.text.startsWith('tried for') || saved !== undefined) return
      expect(rulesOf(stage, 'dev-cp-1')).toEqual({ active: expect.arrayContaining(controlPlane), kept: [] })
      saved = stage.lab.save()
    }
    await stage.up({ onEvent })
    if (saved === undefined) throw new Error('nothing was tried')
    return { ...standing, lab: saved }
  })
  await fromStanding(tried, good, async (stage) => {
    expect(await stage.up({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
    expect(firewallSteps(stage)[0]).toBe('step.finished await-firewall?{"machine":"dev-cp-1"}')
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(ofControlPlane)
  })
})

test('a cluster that is made with a firewall gets it in the same run, from the plan that was shown before it had secrets', async () => {
  const both = good.replace('  proxmox: false\n', '')
  const stage = await aStage({ speed: 200, files: { 'cluster.yaml': both }, topology: aTopology({ operator }) })
  try {
    await switchOn(stage)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(rulesOf(stage, 'dev-cp-1')).toEqual(ofControlPlane)
    expect(vmRulesOf(stage, 'dev-wk-1')).toEqual({ groups: 1, enable: '1', isTried: false, nic: true })
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  } finally {
    await stage.close()
    await rm(stage.folder, { recursive: true, force: true })
  }
})
