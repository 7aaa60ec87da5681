import type { Desired, DesiredMachine, DesiredTemplate } from '../desired/desired.js'
import type { Mark } from '../ownership/mark.js'
import { recordedKeys } from './key-record.js'
import { removableKeys } from './vm-drift.js'

/** The mark of a machine that is being created. */
export function freshMark(wanted: DesiredMachine, desired: Desired): Mark {
  const { name, role, identity } = wanted.machine
  const replaced = desired.cluster.intent.replacing?.[name]
  const set = removableKeys(undefined, wanted.options, [])
  const more = {
    ...(set === '' ? {} : { set }),
    ...(wanted.template === undefined ? {} : { template: wanted.template }),
    ...(replaced === undefined ? {} : { replaced }),
    ...(wanted.home === undefined || wanted.home === wanted.host ? {} : { home: wanted.home }),
    ...(role === 'controlplane' ? recordedKeys(desired) : {}),
  }
  return {
    ...common(desired),
    node: name,
    role,
    vmid: wanted.vmid,
    uuid: identity.uuid,
    mac: identity.mac,
    spec: wanted.spec,
    image: wanted.image,
    ...(Object.keys(more).length === 0 ? {} : { more }),
  }
}

/** The mark of a template that is being created; its kind distinguishes it from a machine. */
export function templateMark(wanted: DesiredTemplate, desired: Desired): Mark {
  const { name, role, vmid, identity, spec, image } = wanted
  return {
    ...common(desired),
    node: name,
    role,
    vmid,
    uuid: identity.uuid,
    mac: identity.mac,
    spec,
    image,
    more: { kind: 'template' },
  }
}

function common({ cluster }: Desired): Pick<Mark, 'cluster' | 'stage' | 'talos' | 'kubernetes'> {
  return {
    cluster: cluster.id ?? '',
    stage: 'making',
    talos: cluster.talosVersion,
    kubernetes: cluster.kubernetesVersion,
  }
}
