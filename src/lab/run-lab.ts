import { join } from 'node:path'
import { UsageError } from '../errors.js'
import { makeFolder } from '../make-folder.js'
import { type Lab, type LabOptions, startLab } from '../simulator/index.js'
import { openControl } from './control.js'
import { type LabInfo, labFolder, removeLabFile, writeLabFile } from './lab-file.js'

/** A lab in this process that other processes can find and control. */
export interface RunningLab {
  readonly lab: Lab
  readonly info: LabInfo
  /** Resolves when a stop was requested. */
  readonly stopRequested: Promise<void>
  close(): Promise<void>
}

export async function runLab(options: LabOptions, env: NodeJS.ProcessEnv): Promise<RunningLab> {
  const lab = await startLab(options).catch(portIsTaken)
  const folder = labFolder(env)
  await makeFolder(folder, 0o700)
  let order: () => void = () => undefined
  const stopRequested = new Promise<void>((resolve) => {
    order = resolve
  })
  const path = join(folder, `lab-${process.pid}.sock`)
  const control = await openControl(lab, path, () => order())
  const info = infoOf(lab, options, path)
  await writeLabFile(env, info)
  return {
    lab,
    info,
    stopRequested,
    close: async () => {
      await removeLabFile(env, process.pid)
      control.closeAllConnections()
      await new Promise<void>((resolve) => control.close(() => resolve()))
      await lab.close()
    },
  }
}

/** The port is in use, or only root may listen on it. */
function portIsTaken(thrown: unknown): never {
  const { code, address, port } = thrown as NodeJS.ErrnoException & { address?: string; port?: number }
  if ((code !== 'EADDRINUSE' && code !== 'EACCES') || address === undefined) throw thrown
  throw new UsageError(
    `The lab cannot listen on port ${port} of ${address}: ${code === 'EACCES' ? 'only root may' : 'it is in use'}.`,
    {
      where: 'ichor lab start --port',
      fix: 'Choose another port, such as --port 18006.',
      cause: thrown,
    },
  )
}

/** How to connect to a lab of this process. */
export function infoOf(lab: Lab, { pve, speed, resume }: LabOptions, control = ''): LabInfo {
  const { proxmox, socks, ssh } = lab
  return {
    endpoint: proxmox.endpoint,
    token_id: proxmox.tokenId,
    token_secret: proxmox.tokenSecret,
    root_password: proxmox.rootPassword,
    fingerprint: proxmox.fingerprint,
    ca: proxmox.ca,
    pid: process.pid,
    speed: speed ?? lab.clock.speed,
    pve: pve ?? resume?.pve ?? 9,
    socks: { host: socks.host, port: socks.port },
    ssh: { host: ssh.host, port: ssh.port, user: ssh.user, host_key: ssh.hostKey, private_key: ssh.privateKey },
    factory: lab.factoryUrl,
    operator: lab.network.operatorAddress,
    control,
  }
}
