import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ApplyConfigurationRequestSchema } from '../../wire/machine/machine_pb.js'
import {
  type ApplyConfiguration,
  type ApplyConfigurationRequest,
  ApplyConfigurationRequest_Mode as Mode,
} from '../../wire/machine/machine_pb.js'
import { type Channel, only } from './channel.js'
import type { ApplyOptions, ApplyResult } from './port.js'

const modes: Readonly<Record<ApplyOptions['mode'], ApplyConfigurationRequest['mode']>> = {
  reboot: Mode.REBOOT,
  auto: Mode.AUTO,
  'no-reboot': Mode.NO_REBOOT,
  staged: Mode.STAGED,
  try: Mode.TRY,
}

/** Sends a config. The mode is always set: unset means reboot, which Talos 1.14 no longer supports. */
export async function applyConfiguration(
  channel: Channel,
  config: string,
  options: ApplyOptions,
  signal: AbortSignal,
): Promise<ApplyResult> {
  const name = 'ApplyConfiguration'
  const request = requestOf(config, options)
  const { messages } = await channel.call(name, 'work', signal, (call) =>
    channel.machine.applyConfiguration(request, call),
  )
  return resultOf(only(channel, name, messages))
}

function requestOf(config: string, options: ApplyOptions): MessageInitShape<typeof ApplyConfigurationRequestSchema> {
  return {
    data: Buffer.from(config),
    mode: modes[options.mode],
    dryRun: options.dryRun ?? false,
    ...(options.tryTimeoutSeconds === undefined
      ? {}
      : { tryModeTimeout: { seconds: BigInt(options.tryTimeoutSeconds), nanos: 0 } }),
  }
}

function resultOf(answer: ApplyConfiguration): ApplyResult {
  const chosen = Object.entries(modes).find(([, mode]) => mode === answer.mode)?.[0] as ApplyOptions['mode'] | undefined
  return { mode: chosen ?? 'auto', details: answer.modeDetails, warnings: answer.warnings }
}
