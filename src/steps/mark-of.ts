import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Mark } from '../ownership/mark.js'

/** The mark of a machine that is being made. */
export function freshMark(wanted: DesiredMachine, desired: Desired): Mark {
  return {
    cluster: desired.cluster.id ?? '',
    node: wanted.machine.name,
    role: wanted.machine.role,
    vmid: wanted.vmid,
    uuid: wanted.machine.identity.uuid,
    mac: wanted.machine.identity.mac,
    stage: 'making',
    spec: wanted.spec,
    image: wanted.image,
    talos: desired.cluster.talosVersion,
    kubernetes: desired.cluster.kubernetesVersion,
  }
}
