import { UsageError } from '../errors.js'

/** The lab that is used without a name. */
const defaultLab = 'default'

/** The lab that an environment selects: `ICHOR_LAB` is its name, or 1 for the default one. */
export function labName({ ICHOR_LAB: name = '' }: NodeJS.ProcessEnv): string {
  if (!saysLab({ ICHOR_LAB: name }) || name === '1') return defaultLab
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(name)) return name
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a lab.`, {
    where: '--lab, --name or ICHOR_LAB',
    fix: 'Use up to 32 letters, digits, - and _, beginning with a letter or digit.',
  })
}

/** The option that selects this lab again: `--lab`, or `--lab=NAME` for a named one. */
export function labOption(env: NodeJS.ProcessEnv): string {
  const name = labName(env)
  return name === defaultLab ? '--lab' : `--lab=${name}`
}

/** Whether an environment selects a lab instead of the real world. */
export function saysLab({ ICHOR_LAB: name = '' }: NodeJS.ProcessEnv): boolean {
  return name !== '' && name !== '0'
}
