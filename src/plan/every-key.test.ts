import { expect, test } from 'vitest'
import { changeOf } from '../../tests/support/key-changes.js'
import { schemaLeaves } from '../../tests/support/schema-leaves.js'

type Reasons = readonly (readonly [RegExp, string])[]

/** Keys that reach a run, and no digest of a step: a plan file covers them with those of its inventory. */
const besideSteps: Reasons = [
  [
    /^proxmox\.(endpoints?|insecure|fingerprint|ca|token_id|token_secret|ssh\.\w+|socks)/,
    'the way to Proxmox and nodes',
  ],
  [/^proxmox\.(node|target_nodes)/, 'a step finds the host of its machine when it runs'],
  [/^(controlplane|workers)\[\]\.host$|^placement\.(strategy|pinned|anti_affinity|avoid)/, 'the same'],
  [/^worker_pools\[\]\.anti_affinity|^reserve\./, 'the same'],
  [/^vm_ids\.|\.vm_ids$|\.vmid$/, 'a step finds the VMID of its machine when it runs'],
  [/^worker_pools\[\]\.surge$/, 'the machines of `ichor replace` are steps of their own'],
  [/^addons\.custom\[\]\.after/, 'the order of the same steps'],
  [/^unmanaged_nodes/, 'nodes and members that no step may touch'],
  [/^allow_http/, 'permits addresses, which are in the steps that use them'],
  [/^advisories(\.|$)/, 'what `up` refuses to enter'],
  [/^client_files\.|certificate_warning_days$/, 'the access that `up` leaves beside the inventory'],
]

/** Keys that no step and no end of `up` reads. */
const notRead: Reasons = [
  [/^environment$/, 'a name for people'],
  [/^ha_enabled$/, 'demands a number of control planes, which is in the steps'],
  [/^guests\[\]\.(ip|disks\[\]\.volume)$/, 'not used for guests'],
  [/^addons\.(flannel|kubelet_csr_approver|network_policies)\.values/, 'no chart that takes values'],
  [/^backup\.etcd\.(schedule|time_zone|keep)/, '`ichor backup` reads it'],
  [/^drill\./, '`ichor drill` reads it'],
  [/^watch\.|^observability\.webhooks/, '`ichor watch` reads it'],
]

function reasonFor(path: string): string | undefined {
  return [...besideSteps, ...notRead].find(([pattern]) => pattern.test(path))?.[1]
}

test('a changed value of any key is another plan: another step, or a reason above why no step can show it', async () => {
  const wrong: string[] = []
  for (const leaf of schemaLeaves()) {
    const { isInSteps, named, refusals } = await changeOf(leaf)
    if (named.length === 0) wrong.push(`${leaf.path}: a plan file does not notice the change`)
    const reason = reasonFor(leaf.path)
    if (isInSteps && reason !== undefined) wrong.push(`${leaf.path}: is in the steps, and listed as: ${reason}`)
    if (isInSteps || reason !== undefined) continue
    wrong.push(`${leaf.path}: no digest covers it, and no reason is listed ${refusals.join()}`)
  }
  expect(wrong).toEqual([])
}, 600_000)

test('every reason is one for a key that exists', () => {
  const paths = schemaLeaves().map(({ path }) => path)
  const unused = [...besideSteps, ...notRead].filter(([pattern]) => !paths.some((path) => pattern.test(path)))
  expect(unused).toEqual([])
})
