import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real radosgw with a monitor and an object store in memory, on loopback. */
export interface Radosgw {
  readonly port: number
  /** Makes a user; with a quota, each of its buckets may hold that many bytes. */
  addUser(name: string, keys: { accessKey: string; secretKey: string }, quotaBytes?: number): void
  stop(): Promise<void>
}

export async function startRadosgw(): Promise<Radosgw> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-radosgw-'))
  const running: ChildProcess[] = []
  const stop = async () => {
    for (const child of running.reverse()) await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const start = (program: string, args: readonly string[]) => {
    const log = openSync(join(folder, `${program}.out`), 'a')
    const child = spawn(program, ['-c', join(folder, 'ceph.conf'), ...args, '-f'], { stdio: ['ignore', log, log] })
    running.push(child)
    closeSync(log)
    return child
  }
  const run = (program: string, args: readonly string[]) => runTool(program, ['-c', join(folder, 'ceph.conf'), ...args])
  try {
    const [monitorPort, port] = [await freePort(), await freePort()]
    const fsid = randomUUID()
    writeFileSync(join(folder, 'ceph.conf'), configuration(folder, fsid, monitorPort, port))
    for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name))
    const map = join(folder, 'monmap')
    runTool('monmaptool', ['--create', '--add', 'a', `v1:127.0.0.1:${monitorPort}`, '--fsid', fsid, map])
    run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map])
    start('ceph-mon', ['-i', 'a'])
    const osd = randomUUID()
    run('ceph', ['--connect-timeout', '60', 'osd', 'new', osd])
    run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', osd])
    // An object store that asks before it knows its monitors gets 'wrong fsid' and ends: it is started again.
    const startStore = (times: number) => {
      start('ceph-osd', ['-i', '0']).once('exit', (code) => code && times > 0 && startStore(times - 1))
    }
    startStore(5)
    start('radosgw', ['-n', 'client.rgw.a'])
    await waitUntilReady(port, folder)
    return { port, stop, addUser: (name, keys, quota) => addUser(run, name, keys, quota) }
  } catch (error) {
    await stop()
    throw error
  }
}

function configuration(folder: string, fsid: string, monitorPort: number, port: number): string {
  return `[global]
fsid = ${fsid}
mon host = v1:127.0.0.1:${monitorPort}
ms bind msgr2 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
mon data = ${join(folder, 'mon')}
osd data = ${join(folder, 'osd')}
rgw data = ${join(folder, 'rgw')}
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
osd objectstore = memstore
memstore device bytes = 2147483648
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
mon allow pool size one = true
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw bucket quota ttl = 0
`
}

function addUser(
  run: (program: string, args: readonly string[]) => void,
  name: string,
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
  quotaBytes?: number,
): void {
  run('radosgw-admin', [
    'user',
    'create',
    '--uid',
    name,
    '--display-name',
    name,
    '--access-key',
    accessKey,
    '--secret-key',
    secretKey,
  ])
  if (quotaBytes === undefined) return
  run('radosgw-admin', ['quota', 'set', '--quota-scope=bucket', '--uid', name, `--max-size=${quotaBytes}`])
  run('radosgw-admin', ['quota', 'enable', '--quota-scope=bucket', '--uid', name])
}

function runTool(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 90_000 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${`${stdout}${stderr}`.trim().slice(-500)}`)
}

async function waitUntilReady(port: number, folder: string): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const logs = readdirSync(folder).filter((name) => /\.(out|log)$/.test(name))
  const ends = logs.map((name) => `${name}:\n${readFileSync(join(folder, name), 'utf8').slice(-1_000)}`)
  throw new Error(`radosgw is not ready after two minutes\n${ends.join('\n')}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(patience)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
