import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SmallLab, startSmallLab } from '../../../src/simulator/proxmox/testing/small-lab.js'

const [, , bin = '', here = ''] = process.argv
const work = mkdtempSync(join(tmpdir(), 'ichor-proxmox-clients-'))

/** Runs a client to its end and passes on what it says; a client that complains fails the whole run. */
function run(program: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const surroundings = { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: work, LANG: 'C.UTF-8', ...env }
    execFile(
      program,
      args,
      { env: surroundings, timeout: 240_000, maxBuffer: 16 * 1024 ** 2 },
      (error, stdout, stderr) => {
        process.stdout.write(stdout)
        if (error === null) resolve()
        else reject(new Error(`${program} ${args.join(' ')} failed:\n${stderr}`))
      },
    )
  })
}

function environment({ sim }: SmallLab, ca: string): Record<string, string> {
  const { hostname, port } = new URL(sim.endpoint)
  const [user = '', token = ''] = sim.tokenId.split('!')
  return {
    LAB_HOST: hostname,
    LAB_PORT: port,
    LAB_USER: user,
    LAB_TOKEN: token,
    LAB_SECRET: sim.tokenSecret,
    LAB_PASSWORD: sim.rootPassword,
    LAB_CA: ca,
    REQUESTS_CA_BUNDLE: ca,
    ANSIBLE_LOCALHOST_WARNING: 'false',
    ANSIBLE_INVENTORY_UNPARSED_WARNING: 'false',
    ANSIBLE_DEPRECATION_WARNINGS: 'false',
    ANSIBLE_HOME: join(work, 'ansible'),
  }
}

async function judge(pve: 8 | 9): Promise<void> {
  const lab = await startSmallLab({ pve, speed: 50 })
  try {
    const ca = join(work, `ca-${pve}.pem`)
    writeFileSync(ca, lab.sim.ca)
    const env = environment(lab, ca)
    await run(join(bin, 'python'), [join(here, 'proxmoxer_check.py')], env)
    await run(join(bin, 'ansible-playbook'), ['-i', 'localhost,', '-c', 'local', join(here, 'playbook.yml')], {
      ...env,
      ANSIBLE_PYTHON_INTERPRETER: join(bin, 'python'),
    })
    if (lab.sim.unknown().length > 0) throw new Error(`The lab did not know: ${lab.sim.unknown().join(', ')}`)
    console.log(
      `real-clients/proxmox: proxmoxer and Ansible believe Proxmox VE ${pve} (${lab.sim.requests().length} requests)`,
    )
  } finally {
    await lab.close()
  }
}

try {
  await judge(9)
  await judge(8)
} finally {
  rmSync(work, { recursive: true, force: true })
}
