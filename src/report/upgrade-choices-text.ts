import { minorOf, parseVersion } from '../cluster/version.js'
import type { UpgradeChoice, UpgradeChoices } from '../operations/change/upgrade-choices.js'
import { beside, wrapWords } from './wrap.js'

const names = { talos: 'Talos', kubernetes: 'Kubernetes' } as const

/** The versions that a cluster could go to, with what each of them brings along. */
export function upgradeChoicesText(known: UpgradeChoices, width: number, flag: string): string {
  const { cluster, talos, kubernetes, choices } = known
  const lines = (text: string) => wrapWords(text, width).join('\n')
  const head = lines(`${cluster} runs Talos ${talos} and Kubernetes ${kubernetes}, as its inventory has it.`)
  if (!choices.seen) {
    const why = `The Talos releases could not be listed: ${choices.why}`
    return `${head}\n\n${lines(why)}\n${lines(`Name one: ichor upgrade --talos VERSION${flag}`)}\n`
  }
  const labelWidth = Math.max('Kubernetes'.length, ...choices.value.map((one) => nameOf(one).length)) + 4
  const isNarrow = width < 60
  const row = (label: string, text: string) => {
    if (!isNarrow) return beside(`  ${label}`.padEnd(labelWidth), labelWidth, text, width)
    const below = beside('    ', 4, text, width)
    return label === '' ? below : `  ${label}\n${below}`
  }
  const rows = choices.value.flatMap((one) => [
    row(nameOf(one), meaningOf(one, known)),
    ...one.advisories.map(({ id, title, effect }) =>
      row('', `${effect === 'block' ? `refused without --accept ${id}` : `advisory ${id}`}: ${title}`),
    ),
  ])
  const newest = choices.value.length === 0 ? `Talos ${talos} is the newest release that ichor knows.` : undefined
  const [first] = choices.value.filter(({ problem }) => problem === undefined)
  const example = first === undefined ? `--kubernetes VERSION` : `--talos ${first.talos}`
  return [
    head,
    '',
    ...(newest === undefined ? ['It could go to'] : [lines(newest), '']),
    ...rows,
    row('Kubernetes', kubernetesMeaning(known)),
    '',
    lines(
      `A new Talos restarts each of the ${known.machines} machines, control planes one at a time; a new Kubernetes restarts none.`,
    ),
    lines(`See the plan: ichor upgrade ${example} --dry-run${flag}`),
    '',
  ].join('\n')
}

function nameOf({ talos }: UpgradeChoice): string {
  return `Talos ${talos}`
}

function meaningOf({ kubernetes, through, problem }: UpgradeChoice, known: UpgradeChoices): string {
  if (problem !== undefined) return `not with this inventory: ${problem}`
  const along =
    kubernetes === known.kubernetes
      ? `Kubernetes stays ${kubernetes}`
      : `takes Kubernetes along to ${kubernetes}; to keep it, add --kubernetes ${known.kubernetes}`
  const way = through.map(({ kind, to }) => `${names[kind]} ${to}`).join(', ')
  return way === '' ? along : `${along}; on the way ${way}`
}

function kubernetesMeaning({ talos, kubernetes, newestKubernetes }: UpgradeChoices): string {
  const version = parseVersion(kubernetes)
  const minor = version === undefined ? kubernetes : minorOf(version)
  return newestKubernetes === undefined || newestKubernetes === minor
    ? `newer releases of ${minor}, the newest that Talos ${talos} takes`
    : `releases of ${minor} to ${newestKubernetes}, which Talos ${talos} takes`
}
