import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../temporary-folder.js'
import { AddonFailed } from './addon-failed.js'

/** Runs helm on this computer; only with `delivery: helm`. */
export type LocalHelm = (
  args: (valuesFile: string) => readonly string[],
  values: object,
  signal: AbortSignal,
) => Promise<void>

/** Variables for helm's own files and for proxies; none of our tokens, and nothing that leads to another cluster. */
const passedOn =
  /^(PATH|PATHEXT|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|TMPDIR|TEMP|TMP|LANG|LC_ALL|XDG_(CACHE|CONFIG|DATA)_HOME|HELM_(CACHE|CONFIG|DATA)_HOME|HELM_PLUGINS|HELM_REPOSITORY_(CACHE|CONFIG)|HELM_REGISTRY_CONFIG|DOCKER_CONFIG|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR))$/i

/** Values and kubeconfig are in a private folder only while helm runs, however it ends. */
export function createLocalHelm(kubeconfig: string, binary = 'helm'): LocalHelm {
  return async (args, values, signal) => {
    const folder = await makeTemporaryFolder('helm')
    try {
      const valuesFile = join(folder.path, 'values.yaml')
      const configFile = join(folder.path, 'kubeconfig')
      await writeFile(valuesFile, JSON.stringify(values), { mode: 0o600 })
      await writeFile(configFile, kubeconfig, { mode: 0o600 })
      await run(binary, args(valuesFile), { ...helmEnvironment(), KUBECONFIG: configFile }, signal)
    } finally {
      await folder.remove()
    }
  }
}

function helmEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)))
}

function run(binary: string, args: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(binary, args, { env, signal }, (error, _, stderr) => {
      if (error === null) return resolve()
      if (signal.aborted) return reject(signal.reason)
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      const output = isMissing
        ? `there is no ${binary} on this computer`
        : stderr.trim().split('\n').slice(-12).join('\n  ')
      reject(
        new AddonFailed(`\`helm ${args.slice(0, 3).join(' ')}\` failed: ${output}`, {
          where: `${binary} ${args.slice(0, 4).join(' ')}`,
          fix: isMissing
            ? 'Install helm, or remove `delivery: helm` to run it inside the cluster.'
            : 'Correct the version or the values, and run `ichor up` again to continue.',
        }),
      )
    })
  })
}
