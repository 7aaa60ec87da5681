import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** A few extensions report another name than that of their image. */
export const extensionMissing = defineFinding({
  code: 'ICH0409',
  name: 'An extension is not in the image of a machine',
  severity: 'warns',
  certainty: 'likely',
  needs: ['examined.machines'],
  *find({ inventory, examined }) {
    const { extensions: everywhere, schematic } = inventory.settings.talos
    if (schematic !== undefined) return
    for (const { name, extensions } of examined?.machines ?? []) {
      const there = ifSeen(extensions)
      const own = inventory.machines.find((machine) => machine.name === name)?.extensions ?? []
      if (there === undefined) continue
      const wanted = [...new Set([...everywhere, ...own].map((extension) => extension.split('/').at(-1) ?? extension))]
      const missing = wanted.filter((one) => !there.some((has) => has === one || one.startsWith(`${has}-`)))
      if (missing.length === 0) continue
      yield {
        subject: { kind: 'machine', name },
        title: `The image of ${name} does not have ${missing.join(', ')}.`,
        detail: `It has ${there.join(', ') || 'no extensions'}.`,
        cure: {
          text: 'ichor up gives it the image of the inventory. If it plans nothing, create it again.',
          command: `ichor replace ${name}`,
        },
      }
    }
  },
})
