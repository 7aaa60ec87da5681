import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueServingCertificate } from '../../../src/simulator/kubernetes/api/certificates.js'

export interface RealApiServer {
  readonly host: string
  readonly port: number
  stop(): Promise<void>
}

/** A real etcd and kube-apiserver on loopback that trust our CA. There is no controller, scheduler or kubelet. */
export async function startRealApiServer(tools: string, ca: { crt: string; key: string }): Promise<RealApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-apiserver-'))
  const [clientPort, peerPort, port] = await Promise.all([freePort(), freePort(), freePort()])
  const etcd = start(folder, join(tools, 'etcd'), [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${clientPort}`,
    `--advertise-client-urls=http://127.0.0.1:${clientPort}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync=true',
  ])
  const api = start(folder, join(tools, 'kube-apiserver'), await apiServerFlags(folder, clientPort, port, ca))
  const running = [api, etcd]
  const stop = async () => {
    for (const { child, ended } of running) {
      child.kill('SIGTERM')
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5_000).unref())])
      child.kill('SIGKILL')
    }
  }
  try {
    await waitUntilListening(port, running)
  } catch (error) {
    await stop()
    throw error
  }
  return { host: '127.0.0.1', port, stop }
}

async function apiServerFlags(
  folder: string,
  etcdPort: number,
  port: number,
  ca: { crt: string; key: string },
): Promise<string[]> {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const serving = await issueServingCertificate(ca, ['127.0.0.1', 'localhost'], Date.now())
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const accounts = file('accounts.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${file('serving.crt', serving.crt)}`,
    `--tls-private-key-file=${file('serving.key', serving.key)}`,
    `--client-ca-file=${file('ca.crt', ca.crt)}`,
    '--authorization-mode=Node,RBAC',
    '--service-cluster-ip-range=10.96.0.0/12',
    '--service-account-issuer=https://127.0.0.1',
    `--service-account-signing-key-file=${accounts}`,
    `--service-account-key-file=${file('accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString())}`,
    '--disable-admission-plugins=ServiceAccount',
  ]
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  readonly log: string
  isGone: boolean
}

function start(folder: string, binary: string, args: readonly string[]): Running {
  const log = join(folder, `${binary.split('/').at(-1)}.log`)
  const output = openSync(log, 'a')
  const child = spawn(binary, args, { stdio: ['ignore', output, output] })
  closeSync(output)
  const running: Running = {
    child,
    log,
    isGone: false,
    ended: new Promise((resolve) => {
      child.once('exit', () => {
        running.isGone = true
        resolve()
      })
    }),
  }
  return running
}

async function waitUntilListening(port: number, running: readonly Running[]): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const gone = running.find(({ isGone }) => isGone)
    if (gone !== undefined) throw new Error(`A server ended at once:\n${readFileSync(gone.log, 'utf8').slice(-2_000)}`)
    if (await isReady(port)) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(
    `The API server is not ready after two minutes:\n${readFileSync(running[0]?.log ?? '', 'utf8').slice(-2_000)}`,
  )
}

async function isReady(port: number): Promise<boolean> {
  const { get } = await import('node:https')
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
