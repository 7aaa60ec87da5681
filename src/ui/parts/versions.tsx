import type { AdvisoryView, Snapshot, UpgradeView } from '../../page/snapshot.js'
import type { ClusterState } from '../../page/state.js'
import { SeenPanel } from './age.js'
import { Command, forCluster } from './command.js'
import { countOf } from './format.js'
import { Scroll } from './scroll.js'
import { Sign } from './sign.js'

/** What runs, what the inventory wants, and what an upgrade would mean. */
export function Versions({ snapshot, options }: Pick<ClusterState, 'snapshot' | 'options'>) {
  if (snapshot === null) return null
  const { at, versions, talos_version: talos, kubernetes_version: kubernetes } = snapshot
  return (
    <SeenPanel title="Versions" at={at}>
      <Scroll label="Versions">
        <table>
          <thead>
            <tr>
              <th />
              <th>runs</th>
              <th>inventory</th>
            </tr>
          </thead>
          <tbody>
            <Row name="Talos" runs={versions.talos} wanted={talos} />
            <Row name="Kubernetes" runs={versions.kubernetes} wanted={kubernetes} />
            <Row name="Proxmox VE" runs={versions.proxmox} wanted={null} />
          </tbody>
        </table>
      </Scroll>
      {versions.affected.length === 0 ? null : <h3>Known problems of what runs</h3>}
      <Advisories advisories={versions.affected} />
      {versions.upgrades.map((upgrade) => (
        <Upgrade key={upgrade.command} upgrade={upgrade} options={options} />
      ))}
      {versions.talos.length === 0 ? null : (
        <p class="quiet small">
          Every version that it could go to: <Command text={forCluster('ichor upgrade', options)} />
        </p>
      )}
    </SeenPanel>
  )
}

function Row({
  name,
  runs,
  wanted,
}: {
  readonly name: string
  readonly runs: Snapshot['versions']['talos']
  readonly wanted: string | null
}) {
  const differs = wanted !== null && runs.some((one) => one !== wanted)
  return (
    <tr>
      <td>{name}</td>
      <td class={differs ? 'warn' : ''}>{runs.length === 0 ? '?' : runs.join(', ')}</td>
      <td>{wanted ?? ''}</td>
    </tr>
  )
}

function Upgrade({ upgrade, options }: { readonly upgrade: UpgradeView; readonly options: string }) {
  const { talos, kubernetes, command, first, restarts, entered, left } = upgrade
  return (
    <section class="upgrade">
      <h3>
        To Talos {talos} and Kubernetes {kubernetes}
      </h3>
      <p class="quiet small">
        {restarts === 0
          ? 'No machine restarts'
          : `${countOf(restarts, 'machine')} ${restarts === 1 ? 'restarts' : 'restart'}`}
        {first === '' ? '.' : `. First: ${first}.`}
        {entered.length === 0 ? ' No known problem on the way.' : ''}
        {left.length === 0 ? '' : ` It ends ${left.map(({ id }) => id).join(', ')}.`}
      </p>
      <Advisories advisories={entered} />
      <Command text={forCluster(command, options)} />
    </section>
  )
}

function Advisories({ advisories }: { readonly advisories: readonly AdvisoryView[] }) {
  if (advisories.length === 0) return null
  return (
    <ul class="rows">
      {advisories.map(({ id, title, effect, way_out: wayOut, source }) => (
        <li class="finding" key={id}>
          <Sign kind={effect === 'block' ? 'blocks' : 'warns'} />
          <div class="body">
            <p>
              {title} <span class="quiet small mono">{id}</span>
            </p>
            <p>{wayOut}</p>
            <p class="quiet small">{source.join(', ')}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
