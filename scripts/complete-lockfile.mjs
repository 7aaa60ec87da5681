// Adds the platform packages that a package source did not have when a lockfile was written: npm ci refuses a lockfile
// without them, on every platform. They are never downloaded where they do not fit.
// Usage: node scripts/complete-lockfile.mjs [FILE]   (package-lock.json, site/package-lock.json)
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const { packages } = lock

for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`
    if (path === '' || packages[key] !== undefined) continue
    const platform = platformOf(name)
    if (platform === undefined) throw new Error(`${name} is not locked, and its name has no platform`)
    packages[key] = {
      version,
      ...platform.cpu,
      ...(dev ? { dev } : {}),
      ...platform.libc,
      optional: true,
      ...platform.os,
    }
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)

/** From names such as `cli-linux-x64-musl` and `binding-linux-arm-gnueabihf`. */
function platformOf(name) {
  const found =
    /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|wasm32)-([a-z0-9]+)(?:-([a-z]+))?$/.exec(
      name,
    )
  if (found === null) return undefined
  const [, os, cpu, libc = ''] = found
  if (os === 'wasm32') return { cpu: { cpu: ['wasm32'] }, libc: {}, os: {} }
  const family = libc.startsWith('musl') ? 'musl' : 'glibc'
  const knowsLibc = os === 'linux' && libc !== ''
  return { cpu: { cpu: [cpu] }, libc: knowsLibc ? { libc: [family] } : {}, os: { os: [os] } }
}
