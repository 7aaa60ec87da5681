import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What the lab makes up and ichor reads has a row that says where it was seen on the real code. */
const proxmoxPage = tableOf('docs/simulated-proxmox.md')
const talosPage = tableOf('docs/simulated-talos.md')

test('every endpoint of Proxmox that the client calls has a row', () => {
  const rows = proxmoxPage.flatMap((row) =>
    [...row.matchAll(/`(?:[A-Z]+ )?(\/[^`]*)`/g)].map(([, path = '']) => blank(path)),
  )
  const called = sources('src/proxmox/client').flatMap(pathsIn)
  expect(called.length).toBeGreaterThan(40)
  expect(called.filter((path) => !rows.some((row) => row === path || isBelow(row, path)))).toEqual([])
})

test('every call of Talos, and every resource that is read, has a row', () => {
  const calls = sources('src/talos/api').flatMap((text) =>
    [...text.matchAll(/(?:channel\.(?:call|stream)|bytesOf)\((?:channel, )?'(\w+)'/g)].map(([, name = '']) => name),
  )
  const kinds = sources('src')
    .flatMap((text) => text.match(/\b[A-Z]\w+\.[a-z0-9]+\.talos\.dev\b/g) ?? [])
    .filter((kind) => kind !== 'ResourceDefinitions.meta.cosi.dev')
  expect([calls.length > 15, kinds.length > 15]).toEqual([true, true])
  const named = new Set(talosPage.flatMap((row) => row.match(/`[^`]+`/g) ?? []))
  expect([...new Set([...calls, ...kinds])].filter((name) => !named.has(`\`${name}\``)).sort()).toEqual([])
})

function tableOf(page: string): string[] {
  return readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
}

/** The sources below a folder, without tests and without the simulator. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|^simulator\/|^testing\/|^testdata\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** Template literals that are paths or end in one: `/nodes/${host}/time`, `${vm}/config`. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/[`'](\/[a-z][^`'\s]*|\$\{[^}]+\}\/[a-z][^`'\s]*)[`']/g)]
    .map(([, path = '']) => blank(path))
    .filter((path) => /^(\{\}|\/(access|cluster|nodes|pools|storage|version))(\/|$)/.test(path) && path !== '/nodes/')
    .filter((path) => path !== '/nodes/pve1/qemu/100')
}

function blank(path: string): string {
  return path.replace(/\$?\{[^}]+\}/g, '{}')
}

/** The path is a prefix of a row's, or, if it begins with a variable, its end. */
function isBelow(row: string, path: string): boolean {
  return (
    row.startsWith(`${path}/`) ||
    (path.startsWith('{}') && (row.endsWith(path.slice(2)) || row.includes(`${path.slice(2)}/`)))
  )
}
