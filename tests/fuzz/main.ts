import { parseArgs } from 'node:util'
import { recordMeasurement } from '../support/record-measurement.js'
import { fuzz } from './fuzz.js'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    /** Writes the result into docs/measurements.md. */
    record: { type: 'boolean', default: false },
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
const broken = results.filter(({ failure }) => failure !== undefined).map(({ name }) => name)
if (values.record)
  recordMeasurement(
    `npm run fuzz -- --inputs ${values.inputs} --seed ${values.seed}`,
    broken.length === 0 ? `${results.length} readers, none broken` : `broken: ${broken.join(', ')}`,
  )
process.exit(broken.length === 0 ? 0 : 1)
