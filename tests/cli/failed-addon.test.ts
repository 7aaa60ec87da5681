import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(async () => {
  desk = aDesk()
  desk.write(
    'cluster.yaml',
    `${smallInventory}addons:
  custom:
    - name: broken
      inline: "{apiVersion: nothing.example.com/v1, kind: Unknown, metadata: {name: broken}}"
`,
  )
  await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach'])
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

test('a first up in which an addon fails leaves the files that kubectl and talosctl need to look for the cause', async () => {
  const { code, stderr } = await desk.ichor(['up', '--lab', '--yes'])
  expect(code).toBe(1)
  expect(stderr).toContain('broken')
  expect(stderr).toContain('wrote kubeconfig.lab')
  expect(['kubeconfig.lab', 'talosconfig.lab'].map((name) => existsSync(join(desk.folder, name)))).toEqual([true, true])
})
