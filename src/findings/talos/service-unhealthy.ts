import { ifSeen } from '../../cluster/seen.js'
import type { ExaminedMachine } from '../../examine/examined.js'
import { defineFinding } from '../define-finding.js'

type Service = Extract<ExaminedMachine['services'], { readonly seen: true }>['value'][number]

/** Members of etcd are findings of their own. */
export const serviceUnhealthy = defineFinding({
  code: 'ICH0405',
  name: 'A service of Talos does not run',
  severity: 'warns',
  needs: ['examined.machines'],
  *find({ examined }) {
    for (const { name, services } of examined?.machines ?? []) {
      for (const service of ifSeen(services) ?? []) {
        if (service.id === 'etcd' || runs(service)) continue
        yield {
          severity: service.id === 'kubelet' || service.id === 'cri' ? 'blocks' : 'warns',
          subject: { kind: 'machine', name },
          title: `The service ${service.id} of ${name} is ${service.state.toLowerCase()}${service.healthy === false ? ' and not healthy' : ''}.`,
          detail:
            [service.message, service.ended ?? ''].filter((text) => text !== '').join(' ') || 'Talos gives no reason.',
          cure: { text: 'Look at its log.', command: `ichor logs ${name} ${service.id}` },
        }
      }
    }
  },
})

/** Services that run once have finished; without a health check, health is unknown. */
function runs({ state, healthy }: Service): boolean {
  return state === 'Finished' || state === 'Skipped' || (state === 'Running' && healthy !== false)
}
