import { parseArgs } from 'node:util'
import { recordMeasurement } from '../support/record-measurement.js'
import { wholeNumber } from '../support/whole-number.js'
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

const inputs = wholeNumber('inputs', values.inputs)
const results = await fuzz({ inputs, seed: wholeNumber('seed', values.seed), only: values.only })
if (results.length === 0) {
  console.error(`No reader is called "${values.only}".`)
  process.exit(2)
}
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
