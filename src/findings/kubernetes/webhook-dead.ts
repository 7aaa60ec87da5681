import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const webhookDead = defineFinding({
  code: 'ICH0608',
  name: 'A webhook has no pod behind it',
  severity: 'blocks',
  needs: ['examined.kubernetes'],
  *find({ examined }) {
    const dead = (ifSeen(examined?.kubernetes?.webhooks) ?? []).filter(({ hasBackend }) => !hasBackend)
    for (const name of new Set(dead.map((one) => one.name))) {
      const hooks = dead.filter((one) => one.name === name)
      const [first] = hooks
      if (first === undefined) continue
      const isRequired = hooks.some((one) => one.isRequired)
      yield {
        severity: isRequired ? 'blocks' : 'info',
        subject: { kind: 'object', name },
        title: `The webhook ${name} asks ${first.service.namespace}/${first.service.name}, behind which no pod is ready.`,
        detail: isRequired
          ? 'The API server refuses every object that it should be asked about.'
          : 'The API server goes on without it, after a timeout.',
        cure: {
          text: 'Bring its pods back. If its software is gone, delete the ValidatingWebhookConfiguration or MutatingWebhookConfiguration of that name.',
        },
      }
    }
  },
})
