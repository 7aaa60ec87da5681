import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.js'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})

const results = await fuzz({ inputs: Number(values.inputs), seed: Number(values.seed), only: values.only })
for (const { name, inputs, ms, kept, failure } of results) {
  const verdict = failure === undefined ? 'ok    ' : 'BROKEN'
  console.log(
    `${verdict}  ${name}: ${inputs} inputs in ${(ms / 1000).toFixed(1)} s, ${Math.round(kept / 2 ** 20)} MiB kept`,
  )
  if (failure !== undefined) console.log(failure.replaceAll(/^/gm, '  '))
}
process.exit(results.some(({ failure }) => failure !== undefined) ? 1 : 0)
