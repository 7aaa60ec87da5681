import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The licences of all packages that a bundle contains, and the copyright notices that only stand in their files. */
export function thirdPartyLicenses({ inputs }) {
  const packages = new Map()
  for (const file of Object.keys(inputs).filter((path) => path.includes('node_modules/'))) {
    const folder = packageOf(file)
    packages.set(folder, [...(packages.get(folder) ?? []), file])
  }
  const parts = [...packages].sort(([one], [other]) => (one < other ? -1 : 1)).map(describe)
  return `ichor contains the following packages.\n\n${parts.join('\n')}`
}

/** Its folder: the nearest one with a package.json that has a version. */
function packageOf(file) {
  for (let folder = dirname(file); folder.includes('node_modules/'); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version !== undefined) return folder
  }
  throw new Error(`${file} belongs to no package.`)
}

function describe([folder, files]) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice|copyrightnotice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const notices = [...new Set(files.flatMap(noticesIn))]
  const all = texts.length > 0 ? texts : notices
  const named = license ?? licenses?.map(({ type }) => type).join(' OR ')
  if (named === undefined || all.length === 0) throw new Error(`${name} says nothing about its licence.`)
  const rule = '-'.repeat(100)
  return `${rule}\n${name} ${version}: ${named}\n${rule}\n\n${all.join('\n\n')}\n`
}

/** Comments at the beginning of a file that name who has the copyright. */
function noticesIn(file) {
  const [start] = /^(?:\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)\s*)+/.exec(readFileSync(file, 'utf8')) ?? ['']
  const blocks = start.match(/(?:^[ \t]*\/\/.*\n?)+|\/\*[\s\S]*?\*\//gm) ?? []
  return blocks
    .filter((block) => /copyright/i.test(block))
    .map((block) => block.replaceAll(/^[ \t]*(?:\/\/|\/?\*+\/?)[ \t]?/gm, '').trim())
}
