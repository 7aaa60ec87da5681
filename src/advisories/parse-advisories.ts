import { parse } from 'yaml'
import { FileError, reasonOf } from '../errors.js'
import { type Advisory, advisorySchema } from './advisory.js'

/** One advisory or a list of them. */
export function parseAdvisories(text: string, where: string): Advisory[] {
  const data = dataOf(text, where)
  return (Array.isArray(data) ? data : [data]).map((one) => {
    const { success, data: advisory, error } = advisorySchema.safeParse(one)
    if (success) return advisory
    const [first] = error.issues
    throw unusable(`${first?.path.join('.') ?? ''} ${first?.message ?? ''}`.trim(), where)
  })
}

function dataOf(text: string, where: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 })
  } catch (thrown) {
    throw unusable(reasonOf(thrown).split('\n')[0] ?? '', where)
  }
}

function unusable(problem: string, where: string): FileError {
  return new FileError(`The advisories cannot be used: ${problem}.`, {
    where,
    fix: 'Compare the file with the example in docs/advisories.md.',
  })
}
