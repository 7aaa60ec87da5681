import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder with an age key of its own, and the programs that judge us. */
export interface Workshop {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly key: string
  readonly recipient: string
  write(name: string, text: string): Promise<string>
  read(name: string): Promise<string>
  /** What the program prints; throws with its complaint when it fails. */
  run(program: string, args: readonly string[], input?: string): string
}

/** Hands a new workshop to `use` and clears it away afterwards. */
export async function withWorkshop(use: (shop: Workshop) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-sops-'))
  try {
    await use(await openWorkshop(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function openWorkshop(folder: string): Promise<Workshop> {
  const env = { HOME: folder, SOPS_AGE_KEY_FILE: join(folder, 'age-key.txt') }
  const run: Workshop['run'] = (program, args, input) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, input: input ?? '', maxBuffer: 1e8 }
    const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' })
    if (status === 0) return stdout
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
  }
  run('age-keygen', ['-o', env.SOPS_AGE_KEY_FILE])
  const keyFile = await readFile(env.SOPS_AGE_KEY_FILE, 'utf8')
  return {
    folder,
    env,
    key: /AGE-SECRET-KEY-\w+/.exec(keyFile)?.[0] ?? '',
    recipient: run('age-keygen', ['-y', env.SOPS_AGE_KEY_FILE]).trim(),
    run,
    write: async (name, text) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
  }
}
