import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lab, startLab } from '../../../src/simulator/index.js'
import { aTopology } from '../../support/lab.js'
import { whatIsThere } from '../../support/left-behind.js'
import { type Tofu, tofuIn } from './tofu.js'

/** A lab of three hosts, and OpenTofu in folders beside it. */
export interface TofuLab {
  readonly lab: Lab
  readonly work: string
  /** Where the lab's factory has the disk image of a plain Talos. */
  readonly image: string
  /** OpenTofu in that folder, with endpoint and token in its environment as its users have them. */
  tofu(folder: string): Tofu
  /** A copy of that folder to work in. */
  copy(from: string, name: string): string
  /** VMs and volumes that are there now. */
  there(): { readonly vms: readonly string[]; readonly volumes: readonly string[] }
  close(): Promise<void>
}

export interface TofuCheck {
  readonly title: string
  run(lab: TofuLab): Promise<void>
}

export async function startTofuLab({
  pve,
  tools,
  work,
}: {
  pve: 8 | 9
  tools: string
  work: string
}): Promise<TofuLab> {
  mkdirSync(work, { recursive: true })
  const lab = await startLab({ topology: aTopology({ hosts: 3 }), speed: 60, pve })
  const { endpoint, ca, tokenId, tokenSecret } = lab.proxmox
  const authority = join(work, 'ca.pem')
  writeFileSync(authority, ca)
  const env = {
    PROXMOX_VE_ENDPOINT: `${endpoint}/`,
    PROXMOX_VE_API_TOKEN: `${tokenId}=${tokenSecret}`,
    SSL_CERT_FILE: authority,
  }
  return {
    lab,
    work,
    image: `${lab.factoryUrl}/image/${await plainSchematic(lab)}/v1.13.9/nocloud-amd64.qcow2`,
    tofu: (folder) => tofuIn({ tools, folder, env }),
    copy: (from, name) => {
      cpSync(from, join(work, name), { recursive: true })
      return join(work, name)
    },
    there: () => whatIsThere(lab),
    close: () => lab.close(),
  }
}

/** A factory has images of those schematics that somebody has asked it for. */
export async function plainSchematic({ factoryUrl }: Lab): Promise<string> {
  const answer = await fetch(`${factoryUrl}/schematics`, { method: 'POST', body: 'customization: {}\n' })
  const { id } = (await answer.json()) as { id: string }
  return id
}

/** Until the lab's machines are as wanted; the lab runs faster than the wall. */
export async function eventually(what: string, isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`waited without success until ${what}`)
}

export function expectSame(what: string, actual: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(wanted)]
  if (one !== other) throw new Error(`${what}: ${one} in place of ${other}`)
}
