import { expect, test } from 'vitest'
import { installAll, plan, signal, startLab } from '../../tests/support/addon-lab.js'
import { helmImage } from './helm-job.js'
import { installAddon, removeAddon } from './install.js'
import { readInstalledAddons, recordRef } from './installed-addons.js'
import { fieldOwner } from './run-helm-job.js'
import { readRecord } from './trusted-record.js'

test('removing an addon takes its release, its objects and its record away', async () => {
  const planned = plan({ metallb: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const installed = await readInstalledAddons(lab.api, signal)
  expect(installed.map(({ name }) => name)).toEqual(['metallb'])
  for (const addon of installed) await removeAddon({ ...lab, note: () => {} }, addon, helmImage(undefined), signal)
  expect(await readInstalledAddons(lab.api, signal)).toEqual([])
  expect(
    await lab.api.find({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'metallb-system', 'metallb-controller', signal),
  ).toBeUndefined()
})

test('an edited record deletes nothing of others, and does not hide data loss', async () => {
  const planned = plan({ metallb: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }
  const foreign = { ...configMap, metadata: { name: 'payroll', namespace: 'default' }, data: { a: 'b' } }
  await lab.api.apply([foreign], { fieldManager: 'somebody', force: true }, signal)
  const [record] = await readInstalledAddons(lab.api, signal)
  if (record === undefined) throw new Error('there is one')
  const edit = { ...record, objects: [{ ...configMap, namespace: 'default', name: 'payroll' }, ...record.objects] }
  const notes: string[] = []
  const tools = { ...lab, note: (text: string) => void notes.push(text) }
  await removeAddon(tools, edit, helmImage(undefined), signal)
  expect(await lab.api.find(configMap, 'default', 'payroll', signal)).toBeDefined()
  expect(notes).toContain('ConfigMap payroll was not applied for metallb and is not deleted')

  await expect(removeAddon(tools, { ...record, namespace: 'prod' }, helmImage(undefined), signal)).rejects.toThrow(
    'is not what ichor installs',
  )
  expect(readRecord(JSON.stringify({ ...record, name: 'longhorn', holdsData: false }))?.holdsData).toBe(true)
  expect(readRecord(JSON.stringify({ ...record, name: 'somebodys', holdsData: false }))?.holdsData).toBe(true)
  expect(readRecord('{')).toBeUndefined()
})

test('an edited record of one addon deletes nothing of another one', async () => {
  const planned = plan({ cilium: true, network_policies: { namespaces: ['shop'] }, metallb: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const tools = { ...lab, note: () => {} }
  const records = await readInstalledAddons(lab.api, signal)
  const policies = records.find(({ name }) => name === 'network_policies')?.objects ?? []
  const metallb = records.find(({ name }) => name === 'metallb')
  const wanted = planned.find(({ name }) => name === 'metallb')
  if (metallb === undefined || wanted === undefined) throw new Error('it is installed')
  expect(policies.length).toBeGreaterThan(0)
  const edit = { ...metallb, objects: [...metallb.objects, ...policies] }
  await lab.api.apply([{ ...recordRef('metallb'), data: { addon: JSON.stringify(edit) } }], fieldOwner, signal)
  const left = async () => await Promise.all(policies.map((ref) => lab.api.find(ref, ref.namespace, ref.name, signal)))
  await installAddon(tools, wanted, signal)
  expect(await left()).not.toContain(undefined)
  await lab.api.delete(
    recordRef('network_policies'),
    'kube-system',
    recordRef('network_policies').metadata.name ?? '',
    signal,
  )
  await removeAddon(tools, edit, helmImage(undefined), signal)
  expect(await left()).not.toContain(undefined)
})

test('a namespace that is closed and not there yet is made, and stays when the addon goes', async () => {
  const planned = plan({ cilium: true, network_policies: { namespaces: ['shop'] } })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const namespace = () => lab.api.find({ apiVersion: 'v1', kind: 'Namespace' }, undefined, 'shop', signal)
  expect(await namespace()).toBeDefined()
  const record = (await readInstalledAddons(lab.api, signal)).find(({ name }) => name === 'network_policies')
  if (record === undefined) throw new Error('nothing was written down')
  const tools = { ...lab, note: () => {} }
  await removeAddon(tools, record, helmImage(undefined), signal)
  expect(await namespace()).toBeDefined()
})
