import type { TLSSocket } from 'node:tls'
import type { Dialer } from '../../reach/dialer.js'
import { secureConnect } from '../../reach/tls.js'
import { applyConfiguration } from './apply.js'
import { type Channel, openChannel } from './channel.js'
import { version } from './node.js'
import type { ExpectedMachine, MaintenanceIdentity, MaintenanceNode, TalosTarget } from './port.js'
import { resourceCalls } from './resources.js'
import { createSessionManager } from './session.js'
import { addressOf, TalosError, talosPort } from './talos-error.js'

/** The unauthenticated API of a machine without a config. All calls use one connection, which is then closed. */
export function maintenanceNode(dialer: Dialer, target: TalosTarget): MaintenanceNode {
  const talk = <T>(signal: AbortSignal, run: (channel: Channel) => Promise<T>) =>
    onOneConnection(dialer, target, signal, run)
  return {
    findIdentity: (signal) =>
      talk(signal, (channel) => identify(channel, signal)).catch((thrown) => noneIfClosed(thrown)),
    applyConfiguration: (config, expected, signal) =>
      talk(signal, async (channel) => {
        refuseOther(await identify(channel, signal), expected, target)
        return applyConfiguration(channel, config, { mode: 'auto' }, signal)
      }),
  }
}

/** The peer cannot change in between: the calls end with this connection. */
async function onOneConnection<T>(
  dialer: Dialer,
  target: TalosTarget,
  signal: AbortSignal,
  run: (channel: Channel) => Promise<T>,
): Promise<T> {
  const sessions = createSessionManager(`https://${addressOf(target)}`, dialOnce(dialer, target, signal))
  try {
    return await run(openChannel(target, sessions))
  } finally {
    sessions.close()
  }
}

function dialOnce(dialer: Dialer, target: TalosTarget, signal: AbortSignal): () => Promise<TLSSocket> {
  const at = { host: target.address, port: target.port ?? talosPort }
  let isDialled = false
  return () => {
    if (isDialled) throw lostConnection(target)
    isDialled = true
    return secureConnect(dialer, at, { trust: { insecure: true }, alpn: ['h2'] }, signal)
  }
}

async function identify(channel: Channel, signal: AbortSignal): Promise<MaintenanceIdentity> {
  const resources = resourceCalls(channel)
  const { uuid, serial } = await resources.systemIdentity(signal)
  const links = await resources.list('LinkStatuses.net.talos.dev', 'network', signal)
  const talosVersion = await findVersion(channel, signal)
  return {
    uuid,
    serial,
    macs: links.flatMap(({ spec }) => macsOf(spec)),
    ...(talosVersion === undefined ? {} : { talosVersion }),
  }
}

/** Talos 1.12 does not report its version in maintenance mode. */
async function findVersion(channel: Channel, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await version(channel, signal)).tag
  } catch (thrown) {
    if (thrown instanceof TalosError && thrown.grpcCode === 'Unimplemented') return undefined
    throw thrown
  }
}

interface LinkSpec {
  readonly hardwareAddr?: string
  readonly permanentAddr?: string
  readonly kind?: string
}

const noMac = '00:00:00:00:00:00'

/** Only physical links: a bridge or bond on the node has a copy, and the loopback has none. */
function macsOf(spec: unknown): string[] {
  const { hardwareAddr, permanentAddr, kind } = (spec ?? {}) as LinkSpec
  if (kind !== undefined && kind !== '') return []
  const macs = [permanentAddr, hardwareAddr].filter(
    (mac): mac is string => mac !== undefined && mac !== '' && mac !== noMac,
  )
  return [...new Set(macs.map((mac) => mac.toUpperCase()))]
}

/** It requires a certificate, does not respond, or is not Talos: in each case it is not in maintenance mode. */
function noneIfClosed(thrown: unknown): undefined {
  if (thrown instanceof TalosError) return undefined
  throw thrown
}

function refuseOther(seen: MaintenanceIdentity, expected: ExpectedMachine, target: TalosTarget): void {
  const isSame = seen.uuid === expected.uuid.toLowerCase() && seen.macs.includes(expected.mac.toUpperCase())
  if (isSame && (expected.serial === undefined || seen.serial === expected.serial)) return
  const reason = isSame
    ? 'it has its UUID and MAC, and not the serial number of its VM'
    : `it has the UUID ${seen.uuid} and the MACs ${seen.macs.join(', ')}`
  throw new TalosError(`What answers at ${target.address} is not ${target.machine}: ${reason}. No config was sent.`, {
    target,
    grpcCode: 'FailedPrecondition',
    where: `${target.machine} (${addressOf(target)}), expected UUID ${expected.uuid} and MAC ${expected.mac}`,
    fix: 'Find out which machine holds that address; two machines may have been given the same one.',
  })
}

function lostConnection(target: TalosTarget): TalosError {
  return new TalosError(`The connection to ${target.machine} was lost before the config went out.`, {
    target,
    grpcCode: 'Unavailable',
    where: `${target.machine} (${addressOf(target)})`,
    fix: 'Run the same command again.',
  })
}
