import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const proxmox =
  'create|clone|configure|setOptions|resize|convertToTemplate|start|stop|remove|download|upload|removeVolume|enableContent|setJob|removeJob'
const talos = 'applyConfiguration|bootstrap|reset|reboot|restartService|removeMember'
const kubernetes = 'cordon|uncordon|drain|deleteNode|setNodeLabels|setNodeTaints'
const change = new RegExp(`\\.(${proxmox}|${talos}|${kubernetes}|make|remember)\\(|\\b(switchPower|install|approve)\\(`)

const src = join(import.meta.dirname, '..')
const folders = ['steps', 'vm', 'node', 'etcd', 'trial', 'capabilities']

/** Calls that change something without checking the lease earlier in the same function. */
function unasked(folder: string, file: string): string[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const found = /\bfunction /.test(line) ? undefined : change.exec(line)?.[0]
    if (found === undefined || /^(\/\*\*|\s*\*|import)/.test(line)) return []
    const start = lines.slice(0, index).findLastIndex((before) => /^\}|^ {2}(async )?\w+\(.*\{$/.test(before))
    return lines.slice(start + 1, index).some((before) => /assertLease\(\)/.test(before)) ? [] : [`${file} ${found}`]
  })
}

/** In these files the caller checks the lease, or the write of the mark right before does. */
const askedBefore = ['bootstrap-etcd.ts .remember(', 'switch-power.ts .start(']

test('whatever changes something asks for the lease before, in the same function', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => unasked(join(src, folder), file)),
  )
  expect(found).toEqual(askedBefore)
})
