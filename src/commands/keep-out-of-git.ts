import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ignored = `# Written by ichor: keys and history that should not be committed. secrets.sops.yaml is encrypted and should be.
.ichor/
kubeconfig
talosconfig
*.lab
*.lab.sops.yaml
`

/** A `.gitignore` beside the inventory, where there is none and one can be: client access in the clear stands there, too. */
export async function keepOutOfGit(folder: string): Promise<string[]> {
  const path = join(folder, '.gitignore')
  return writeFile(path, ignored, { flag: 'wx' }).then(
    () => [path],
    () => [],
  )
}
