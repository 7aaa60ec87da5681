import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, bin, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(() => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
  chmodSync(desk.write('bin/ichor', `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`), 0o755)
})
afterAll(() => desk.clear())

const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0
const mayBeMissing = (shell: string) => process.env.ICHOR_CI === undefined && !isThere(shell)

test.each(['bash', 'zsh', 'fish'])('%s accepts its script (skipped where there is no such shell)', async (shell) => {
  const { stdout, code } = await desk.ichor(['completion', shell])
  expect(code).toBe(0)
  const file = desk.write(`completion.${shell}`, stdout)
  if (mayBeMissing(shell)) return
  execFileSync(shell, ['-n', file])
})

test.skipIf(mayBeMissing('bash')).each([
  { typed: ['va'], proposed: ['validate'] },
  { typed: ['lab', 'st'], proposed: ['start', 'stop', 'status'] },
  { typed: ['secrets', 'r'], proposed: ['rekey', 'rotate', 'recover'] },
  { typed: ['up', '--until', ''], proposed: ['vms', 'bootstrap', 'addons', 'healthy'] },
  { typed: ['plan', '--exit'], proposed: ['--exit-code'] },
  { typed: ['logs', 'dev-w'], proposed: ['dev-wk-1'] },
  { typed: ['-i', 'cluster.yaml', 'capacity', '--lose', ''], proposed: ['pve1'] },
])('bash completes $typed to $proposed', async ({ typed, proposed }) => {
  const { stdout } = await desk.ichor(['completion', 'bash'])
  const script = desk.write('completion.bash', stdout)
  const words = ['ichor', ...typed].map((word) => `'${word}'`).join(' ')
  const asked = `source ${script}; COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _ichor; printf '%s\\n' "\${COMPREPLY[@]}"`
  const answer = execFileSync('bash', ['-c', asked], {
    cwd: desk.folder,
    env: { ...desk.env, PATH: `${join(desk.folder, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  })
  expect(answer.trim().split('\n')).toEqual(proposed)
})

test('fish and zsh are handed what each word is for', async () => {
  const { stdout } = await desk.ichor(['completion', 'propose', '--', 'va'])
  expect(stdout).toBe('validate\tcheck the inventory and list all problems\n')
})

test.skipIf(mayBeMissing('fish'))('fish shows the descriptions', async () => {
  const { stdout } = await desk.ichor(['completion', 'fish'])
  const script = desk.write('completion.fish', stdout)
  const answer = execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C 'ichor dm'`], {
    cwd: desk.folder,
    env: { ...desk.env, PATH: `${join(desk.folder, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  })
  expect(answer).toContain('dmesg\tshow the kernel messages of a node')
})
