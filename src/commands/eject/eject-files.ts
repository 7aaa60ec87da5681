import { clusterTag } from '../../cluster/tag.js'
import { parseVersion } from '../../cluster/version.js'
import { contractOf } from '../../desired/talos-machine.js'
import type { RenderedCluster } from '../../operations/render/rendered-cluster.js'
import type { CompleteSpec } from '../../operations/spec/complete-spec.js'
import { withoutMark } from '../../ownership/mark.js'
import { parseTags, writeTags } from '../../proxmox/model/options/tags.js'
import type { RenderedFile, RenderInput } from '../../render/render-input.js'
import { talhelperFiles } from '../../render/talconfig.js'
import { type ImportedVm, terraformImport } from '../../render/terraform-import.js'

/** Talhelper knows none of the documents that 1.14 made of the first one. */
const lastForTalhelper = 13

/** What the tools read that manage the cluster next: Terraform or OpenTofu, and talhelper. */
export function ejectFiles(
  spec: CompleteSpec,
  { observed }: RenderedCluster,
  { cluster, nodes }: RenderInput,
): RenderedFile[] {
  const { settings } = spec.inventory
  const ours = new Set(['ichor', clusterTag(settings.cluster_name)])
  const vms = (observed?.machines ?? []).map(({ name, vmid, host, options, pool }): ImportedVm => {
    const isLeft = observed?.proxmox.poolExists === true
    return { name, vmid, host, options: asReleased(options, ours), pool: isLeft ? undefined : pool }
  })
  const contract = contractOf(spec)
  const { talos_version: runs, kubernetes_version: kubernetesVersion } = settings
  // talhelper has no key for the contract, which it takes from the version.
  const talosVersion = runs.startsWith(`${contract}.`) ? runs : `${contract}.0`
  const isTooNew = (parseVersion(talosVersion)?.minor ?? 0) > lastForTalhelper
  return [
    ...terraformImport(vms, contract),
    ...(isTooNew ? [] : talhelperFiles({ ...cluster, talosVersion, kubernetesVersion }, nodes)),
  ]
}

/** Without the mark and the tags, which are taken off afterwards. */
function asReleased(options: ImportedVm['options'], ours: ReadonlySet<string>): ImportedVm['options'] {
  const { tags = '', description = '', ...others } = options
  const [kept, notes] = [parseTags(tags).filter((tag) => !ours.has(tag)), withoutMark(description)]
  return {
    ...others,
    ...(kept.length === 0 ? {} : { tags: writeTags(kept) }),
    ...(notes === '' ? {} : { description: notes }),
  }
}
