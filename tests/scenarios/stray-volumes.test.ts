import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'
import { evacuateHosts } from '../support/verbs.js'

let stage: Stage
afterEach(() => stage.close())

test('disks that a failed live migration left on its target are named by up and destroy, with what removes them', async () => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 1 })
  stage = await aStage({ speed: 1000, topology: aTopology({ hosts: 2 }), files: { 'cluster.yaml': yaml } })
  await stage.up()
  const { machines } = (await stage.plan()).observed
  const worker = machines.find((machine) => machine.name === 'dev-wk-1')
  if (worker === undefined) throw new Error('there is a worker')
  const { name, host, vmid } = worker
  const target = host === 'pve1' ? 'pve2' : 'pve1'
  stage.lab.faults.add({
    match: { surface: 'proxmox', method: 'POST', path: `/qemu/${vmid}/migrate$` },
    action: { kind: 'fail-task', message: 'lost connection to the target' },
  })
  await expect(stage.up({ change: evacuateHosts([host]) })).rejects.toMatchObject({
    message: expect.stringMatching(
      new RegExp(`migration aborted.* It left copies of the disks on ${target}: local-lvm:vm-${vmid}-disk-\\d+`),
    ),
    fix: expect.stringMatching(
      new RegExp(
        `^Run \`pvesm free local-lvm:vm-${vmid}-disk-\\d+.*\` as root on ${target}, then run the same command`,
      ),
    ),
  })
  const stray = new RegExp(
    `^${target} holds disks of ${name}, which is on another host \\(\\d+ GiB\\).*pvesm free local-lvm:vm-${vmid}-disk-\\d+.* as root on ${target}`,
  )
  expect(notesOf((await stage.plan()).plan)).toContainEqual(expect.stringMatching(stray))
  expect(notesOf((await stage.plan('destroy')).plan)).toContainEqual(expect.stringMatching(stray))

  stage.lab.faults.add({
    match: { surface: 'proxmox', method: 'GET', path: `^/nodes/${target}/storage/local-lvm/content` },
    action: { kind: 'status', status: 403, message: 'Permission check failed' },
    times: Number.POSITIVE_INFINITY,
  })
  const notes = notesOf((await stage.plan('destroy')).plan)
  expect(notes).toContainEqual(
    expect.stringMatching(
      `^Whether storage local-lvm on ${target} holds disks that a failed migration left is unknown: .*pvesm list local-lvm`,
    ),
  )
  expect(notes).not.toContainEqual(expect.stringMatching(stray))
})
