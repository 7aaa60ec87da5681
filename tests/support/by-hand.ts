import { request } from 'node:https'
import type { VmRef } from '../../src/cluster/machine.js'
import type { TaskRef } from '../../src/proxmox/client/port.js'
import type { World } from '../../src/world.js'
import type { Stage } from './lab.js'

/** Somebody who works on the lab beside ichor: with the web interface, talosctl or kubectl. */
export interface Hand {
  readonly world: World
  readonly signal: AbortSignal
  /** Where the VM of that name stands. */
  vm(name: string): Promise<VmRef>
  options(name: string): Promise<Readonly<Record<string, string>>>
  set(name: string, set: Readonly<Record<string, string | number>>): Promise<void>
  stop(name: string): Promise<void>
  /** Stops and deletes it. */
  remove(name: string): Promise<void>
  /** Backs it up as it is now; answers the name of the backup. */
  backUp(name: string): Promise<string>
  /** Makes a VM out of a backup. */
  restore(archive: string, to: VmRef): Promise<void>
  /** Puts it into that pool, out of whichever it is in. */
  putIntoPool(pool: string, vmid: number): Promise<void>
  wait(task: Promise<TaskRef>): Promise<void>
  /** A call that ichor's own client does not have. */
  call(method: string, path: string, form?: Form): Promise<void>
}

export async function byHand(stage: Pick<Stage, 'connect' | 'lab'>): Promise<Hand> {
  const { world } = await stage.connect()
  const signal = AbortSignal.timeout(600_000)
  const { machines, tasks, cluster } = world.proxmox
  const wait = async (task: Promise<TaskRef>) => void (await tasks.wait(await task, signal))
  const vm = async (name: string): Promise<VmRef> => {
    const found = (await cluster.resources(signal)).guests.find((guest) => guest.name === name)
    if (found === undefined) throw new Error(`the lab has no VM ${name}`)
    return { host: found.host, vmid: found.vmid }
  }
  const stop = async (name: string) => wait(machines.stop(await vm(name), signal))
  return {
    world,
    signal,
    vm,
    options: async (name) => (await machines.findConfig(await vm(name), signal))?.options ?? {},
    set: async (name, set) => machines.setOptions(await vm(name), { set }, signal),
    stop,
    remove: async (name) => {
      await stop(name)
      await wait(machines.remove(await vm(name), signal))
    },
    backUp: async (name) => {
      const { host, vmid } = await vm(name)
      const upid = await post(stage, `/nodes/${host}/vzdump`, { vmid, storage: 'local', compress: 'zstd' })
      await wait(Promise.resolve({ host, upid }))
      const backups = await ask<{ volid: string }[]>(stage, 'GET', `/nodes/${host}/storage/local/content?vmid=${vmid}`)
      return backups.at(-1)?.volid ?? ''
    },
    restore: async (archive, { host, vmid }) =>
      wait(post(stage, `/nodes/${host}/qemu`, { vmid, archive }).then((upid) => ({ host, upid }))),
    putIntoPool: (poolid, vms) => ask(stage, 'PUT', '/pools', { poolid, vms, 'allow-move': 1 }),
    wait,
    call: (method, path, form) => ask(stage, method, path, form),
  }
}

/** Migrates the last worker to another host, as soon as nobody else is at work on it. Gives where it is then. */
export async function moveWorker({ world, vm, wait, signal }: Hand, name = 'dev-wk-2'): Promise<string | undefined> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { host, vmid } = await vm(name)
    const target = host === 'pve3' ? 'pve2' : 'pve3'
    const options = { target, online: true, withLocalDisks: true }
    const moved = await wait(world.proxmox.machines.migrate({ host, vmid }, options, signal)).then(
      () => true,
      () => false,
    )
    if (moved) return target
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return undefined
}

type Form = Readonly<Record<string, string | number>>

function post(stage: Pick<Stage, 'lab'>, path: string, form: Form): Promise<string> {
  return ask(stage, 'POST', path, form)
}

/** A call that ichor's own client does not have: plain HTTPS, with the lab's token. */
function ask<T>({ lab }: Pick<Stage, 'lab'>, method: string, path: string, form: Form = {}): Promise<T> {
  const { endpoint, ca, tokenId, tokenSecret } = lab.proxmox
  const body = new URLSearchParams(
    Object.entries(form).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `PVEAPIToken=${tokenId}=${tokenSecret}`,
      ...(method === 'GET'
        ? {}
        : { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length }),
    }
    const outgoing = request(`${endpoint}/api2/json${path}`, { method, ca, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')).data)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${answer.statusMessage}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(method === 'GET' ? undefined : body)
  })
}
