import { UsageError } from '../../errors.js'
import type { LabControl, LabInfo } from '../../lab/index.js'
import type { Context } from '../frame/context.js'
import { inLab } from './named.js'

/** The running lab and its controls. */
export async function getLab(context: Context, name?: string): Promise<{ info: LabInfo; control: LabControl }> {
  const { controlLab, findLab, labFile, labName } = await import('../../lab/index.js')
  const { env } = inLab(context, name)
  const info = await findLab(env)
  if (info === undefined) {
    throw new UsageError(`No lab named ${labName(env)} is running.`, {
      where: labFile(env),
      fix: 'List running labs with ichor lab list, or start one with ichor lab start --detach.',
    })
  }
  return { info, control: controlLab(info) }
}
