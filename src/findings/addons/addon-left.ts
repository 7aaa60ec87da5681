import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** Also one whose installation never finished: then only its job is left. */
export const addonLeft = defineFinding({
  code: 'ICH0703',
  name: 'A removed addon is still there',
  severity: 'warns',
  needs: ['kubernetes', 'examined.kubernetes'],
  *find({ observed, examined, addons }) {
    if (addons === undefined) return
    const wanted = new Set(addons.map(({ name }) => name))
    const installed = ifSeen(observed.kubernetes)?.addons.map(({ name }) => name) ?? []
    const jobs = ifSeen(examined?.kubernetes?.addonJobs) ?? []
    for (const name of installed) {
      if (wanted.has(name)) continue
      yield {
        subject: { kind: 'addon', name },
        title: `The addon ${name} is installed, and the inventory does not have it.`,
        detail: 'It was removed from the inventory.',
        cure: { text: 'Remove it.', command: 'ichor up' },
      }
    }
    for (const { addon, namespace, name, release } of jobs) {
      if (wanted.has(addon) || installed.includes(addon)) continue
      const what = release === undefined ? addon : `helm uninstall -n ${release.namespace} ${release.name}`
      yield {
        subject: { kind: 'addon', name: addon },
        title: `The addon ${addon} was never installed completely, and is no longer in the inventory.`,
        detail: `The job ${namespace}/${name} is left, and perhaps a part of its release.`,
        cure: { text: `Remove it by hand: ${what}` },
      }
    }
  },
})
