import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** OpenTofu in one folder, as its user runs it, with the provider that was built beside it. */
export interface Tofu {
  /** Its output; throws with its words when it fails. */
  run(...args: readonly string[]): Promise<string>
  /** How many resources a plan would change, in its own words: `undefined` when it says that nothing differs. */
  difference(...args: readonly string[]): Promise<string | undefined>
}

export interface TofuPlace {
  /** What build.sh filled. */
  readonly tools: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

export function tofuIn({ tools, folder, env }: TofuPlace): Tofu {
  const exec = (args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const surroundings = {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        TF_CLI_CONFIG_FILE: join(tools, 'tofu.rc'),
        TF_IN_AUTOMATION: '1',
        ...env,
      }
      const options = { cwd: folder, env: surroundings, timeout: 240_000, maxBuffer: 64 * 1024 ** 2 }
      execFile(join(tools, 'tofu'), [...args, '-no-color'], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        resolve({ code, stdout, stderr })
      })
    })
  return {
    run: async (...args) => {
      const { code, stdout, stderr } = await exec(args)
      if (code !== 0) throw new Error(`tofu ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`)
      return stdout
    },
    difference: async (...args) => {
      const { code, stdout, stderr } = await exec(['plan', '-detailed-exitcode', '-input=false', ...args])
      if (code === 0) return undefined
      if (code === 2) return /^(Plan: .*)$/m.exec(stdout)?.[1] ?? stdout
      throw new Error(`tofu plan ended with ${code}:\n${stdout}\n${stderr}`)
    },
  }
}
