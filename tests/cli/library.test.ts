import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transformSync } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { aDesk, type Desk } from './ichor.js'

const desks: Desk[] = []
afterAll(() => {
  for (const desk of desks) desk.clear()
})

/** A project that has the package installed. */
function aProject(): Desk {
  const desk = aDesk()
  desks.push(desk)
  mkdirSync(join(desk.folder, 'node_modules', '@ichor-talos'), { recursive: true })
  symlinkSync(process.cwd(), join(desk.folder, 'node_modules', '@ichor-talos', 'ichor'), 'junction')
  desk.write(
    'cluster.yaml',
    'cluster_name: dev\ncontrol_plane_count: 1\nworker_count: 0\nnetwork: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }\n',
  )
  return desk
}

/** Runs a program that was written against the package, and gives the lines that it prints. */
async function run(source: string): Promise<string[]> {
  const desk = aProject()
  const program = desk.write('program.mjs', transformSync(source, { loader: 'ts' }).code)
  const options = { cwd: desk.folder, env: desk.env, timeout: 60_000 }
  const { stdout } = await promisify(execFile)(process.execPath, [program], options)
  return stdout.trim().split('\n')
}

const example = (name: string) => readFileSync(join('examples/library', `${name}.ts`), 'utf8')

test('plan.ts lists the steps with their reasons', async () => {
  expect(await run(example('plan'))).toContain('bootstrap etcd on dev-cp-1: the cluster has no etcd yet')
})

test('bring-up.ts builds a cluster and reports every step; its run leaves a journal, as one by the command line', async () => {
  const lines = await run(example('bring-up'))
  expect(lines[0]).toMatch(/^dev: \d+ steps$/)
  expect(lines.at(-1)).toMatch(/^done, \d+ changes$/)
  const journals = join(desks.at(-1)?.folder ?? '', '.ichor', 'journal')
  const [name = '', ...others] = readdirSync(journals)
  expect(others).toEqual([])
  const events = readFileSync(join(journals, name), 'utf8').trim().split('\n')
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ type: 'run.finished', outcome: 'done' })
})

test('the program in docs/architecture.md does the same', async () => {
  const [, source = ''] = /```ts\n(import[\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? []
  expect((await run(source)).at(-1)).toBe('done')
})

test('every example is run', () => {
  expect(readdirSync('examples/library').sort()).toEqual(['bring-up.ts', 'plan.ts'])
})
