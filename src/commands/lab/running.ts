import { UsageError } from '../../errors.js'
import type { LabControl, LabInfo } from '../../lab/index.js'
import type { Context } from '../frame/context.js'

/** The lab that runs, and the means to command it. */
export async function getLab({ env }: Context): Promise<{ info: LabInfo; control: LabControl }> {
  const { controlLab, findLab, labFile } = await import('../../lab/index.js')
  const info = await findLab(env)
  if (info === undefined) {
    throw new UsageError('No lab is running.', { where: labFile(env), fix: 'Start one with ichor lab start --detach.' })
  }
  return { info, control: controlLab(info) }
}
