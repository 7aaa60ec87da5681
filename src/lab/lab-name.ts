import { UsageError } from '../errors.js'

/** The lab that is meant when nobody says which. */
const defaultLab = 'default'

/** Which lab an environment means: `ICHOR_LAB` is its name, or 1 for the default one. */
export function labName({ ICHOR_LAB: name = '' }: NodeJS.ProcessEnv): string {
  if (!saysLab({ ICHOR_LAB: name }) || name === '1') return defaultLab
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(name)) return name
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a lab.`, {
    where: '--lab, --name or ICHOR_LAB',
    fix: 'Use up to 32 letters, digits, - and _, beginning with a letter or digit.',
  })
}

/** Whether an environment asks for a lab in place of the real world. */
export function saysLab({ ICHOR_LAB: name = '' }: NodeJS.ProcessEnv): boolean {
  return name !== '' && name !== '0'
}
