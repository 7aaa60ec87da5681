import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import {
  type ApplyConfigurationRequest,
  type MachineService,
  ApplyConfigurationRequest_Mode as Mode,
} from '../../../../wire/machine/machine_pb.js'
import { ConfigUnreadable, type MachineConfig, parseMachineConfig } from '../../config/documents.js'
import { needsReboot } from '../../config/needs-reboot.js'
import { refuseUndecodable, validateConfig } from '../../config/validate.js'
import { activate, keepTrial, persist, tryConfig } from '../../machine/apply-config.js'
import { contextOf } from '../../machine/config-sources.js'
import type { TalosMachine } from '../../machine/machine.js'
import { reboot } from '../../machine/power.js'
import { connectionOf, machineOf } from '../call-context.js'
import { textDiff } from '../text-diff.js'

const defaultTrialMs = 60_000

/** Applies a config, in every mode of this Talos version. */
export const applyHandlers = {
  applyConfiguration: async (request, context) => {
    const machine = machineOf(context)
    const inMaintenance = connectionOf(context).mode === 'maintenance'
    if (request.mode !== Mode.TRY) keepTrial(machine)
    const config = readConfig(machine, request.data, inMaintenance)
    const mode = inMaintenance ? maintenanceMode(machine, request.mode) : chooseMode(machine, request.mode, config)
    if (request.dryRun) return { messages: [{ mode, modeDetails: drySummary(machine, config, details[mode] ?? '') }] }
    await act(machine, config, mode, request, inMaintenance)
    machine.record('config.applied', { mode: nameOf(mode), maintenance: inMaintenance }, true)
    return { messages: [{ mode, modeDetails: detailsOf(mode, request) }] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

type ModeValue = ApplyConfigurationRequest['mode']

const details: Readonly<Record<number, string>> = {
  [Mode.REBOOT]: 'Applied configuration with a reboot',
  [Mode.NO_REBOOT]: 'Applied configuration without a reboot',
  [Mode.STAGED]: 'Staged configuration to be applied after the next reboot',
  [Mode.TRY]: 'Applied configuration without a reboot',
}

function detailsOf(mode: ModeValue, { tryModeTimeout }: ApplyConfigurationRequest): string {
  if (mode !== Mode.TRY) return details[mode] ?? ''
  const seconds = trialMsOf(tryModeTimeout) / 1000
  const after = `${Math.floor(seconds / 60)}m${seconds % 60}s`
  return `${details[mode]}\nThe config is applied in 'try' mode and will be automatically reverted back in ${after}`
}

function trialMsOf(timeout: ApplyConfigurationRequest['tryModeTimeout']): number {
  return Number(timeout?.seconds ?? 0n) * 1000 || defaultTrialMs
}

function readConfig(machine: TalosMachine, data: Uint8Array, inMaintenance: boolean): MachineConfig {
  try {
    const config = parseMachineConfig(data)
    refuseUndecodable(config, machine.minor)
    const mayBePartial = inMaintenance && machine.minor >= 13
    if (config.v1alpha1 === undefined && !mayBePartial) {
      throw new ConfigUnreadable(
        "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
      )
    }
    const problems = validateConfig(config, contextOf(machine))
    if (problems.length === 0) return config
    const count = problems.length === 1 ? '1 error occurred' : `${problems.length} errors occurred`
    const where = inMaintenance && machine.minor <= 12 ? 'configuration validation failed: ' : ''
    throw new ConfigUnreadable(`${where}${count}:\n${problems.map((it) => `\t* ${it}`).join('\n')}\n\n`)
  } catch (error) {
    if (error instanceof ConfigUnreadable) throw new ConnectError(error.message, Code.InvalidArgument)
    throw error
  }
}

/** A node in maintenance accepts the config and continues; up to 1.12 it supported only some modes. */
function maintenanceMode({ minor }: TalosMachine, mode: ModeValue): ModeValue {
  const isOld = minor <= 12
  if (isOld && (mode === Mode.NO_REBOOT || mode === Mode.STAGED)) {
    throw new ConnectError(
      `apply configuration --mode='${nameOf(mode)}' is not supported in maintenance mode`,
      Code.Unimplemented,
    )
  }
  if (mode === Mode.TRY || mode === Mode.STAGED) return mode
  return isOld ? Mode.REBOOT : Mode.NO_REBOOT
}

function chooseMode(machine: TalosMachine, mode: ModeValue, config: MachineConfig): ModeValue {
  if (machine.minor >= 14) {
    if (mode === Mode.REBOOT)
      throw new ConnectError('apply configuration with a reboot is not supported', Code.Unimplemented)
    return mode === Mode.AUTO ? Mode.NO_REBOOT : mode
  }
  const before = machine.config
  const mustReboot = before !== undefined && needsReboot(before, config)
  if (mode === Mode.AUTO) return mustReboot ? Mode.REBOOT : Mode.NO_REBOOT
  if (mode === Mode.NO_REBOOT && mustReboot) {
    throw new ConnectError("this config change can't be applied in immediate mode", Code.InvalidArgument)
  }
  return mode
}

async function act(
  machine: TalosMachine,
  config: MachineConfig,
  mode: ModeValue,
  { tryModeTimeout }: ApplyConfigurationRequest,
  inMaintenance: boolean,
): Promise<void> {
  if (mode === Mode.TRY) return tryConfig(machine, config, trialMsOf(tryModeTimeout))
  if (mode !== Mode.STAGED || inMaintenance) persist(machine, config)
  if (mode === Mode.STAGED) return persist(machine, config)
  if (mode === Mode.REBOOT && !inMaintenance) return void reboot(machine, 'kexec')
  await activate(machine, config)
}

function drySummary({ config, minor, stage }: TalosMachine, fresh: MachineConfig, details: string): string {
  if (stage === 'maintenance' && minor <= 12)
    return 'Dry run summary:\nNode is running in maintenance mode and does not have a config yet.'
  const changes = textDiff(config?.text ?? '', fresh.text) ?? 'No changes.'
  return `Dry run summary:\n${details} (skipped in dry-run).\nConfig diff:\n\n${changes}`
}

function nameOf(mode: ModeValue): string {
  return Object.entries(Mode).find(([, value]) => value === mode)?.[0] ?? String(mode)
}
