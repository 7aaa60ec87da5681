import { useComputed } from '@preact/signals'
import type { ClusterState, PageState } from '../../page/state.js'
import { isOld } from '../data/age.js'
import { address, now, state } from '../data/store.js'
import { Ago, Time, Until } from '../parts/age.js'
import { Scroll } from '../parts/scroll.js'
import { Sign } from '../parts/sign.js'

/** All inventories of the folder, the worst first. */
export function Fleet({ state: { clusters } }: { readonly state: PageState }) {
  const rows = clusters.map((cluster, index) => ({ cluster, index }))
  return (
    <section class="panel">
      <header>
        <h2>Fleet</h2>
        <span class="quiet small">{clusters.length} inventories</span>
      </header>
      <Scroll label="Clusters">
        <table class="whole">
          <thead>
            <tr>
              <th>cluster</th>
              <th>state</th>
              <th class="number">machines</th>
              <th>Talos</th>
              <th>Kubernetes</th>
              <th>findings</th>
              <th>differences</th>
              <th>pending plan</th>
              <th>next expiry</th>
              <th>snapshot of etcd</th>
              <th>last run</th>
              <th>seen</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .toSorted((one, other) => rankOf(one.cluster) - rankOf(other.cluster))
              .map(({ cluster, index }) => (
                <Row key={index} cluster={cluster} index={index} />
              ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function rankOf({ snapshot, failure }: ClusterState): number {
  return snapshot === null || failure !== null ? 1 : { blocks: 0, unseen: 1, warns: 2, well: 3 }[snapshot.verdict.level]
}

function Row({
  cluster: { name, snapshot, failure, runs },
  index,
}: {
  readonly cluster: ClusterState
  readonly index: number
}) {
  const [run] = runs
  const isStale = useComputed(() => {
    const one = state.value?.clusters[index]
    return one !== undefined && isOld(one.snapshot?.at ?? null, one, now.value)
  }).value
  const link = <a href={address('estate', '', index)}>{name}</a>
  if (snapshot === null)
    return (
      <tr>
        <td>{link}</td>
        <td colSpan={11} class="quiet">
          {failure === null ? 'looking…' : failure.problem}
        </td>
      </tr>
    )
  const urgent = snapshot.findings.filter(({ finding }) => finding.severity !== 'info').length
  const [next] = snapshot.expiries.toSorted((one, other) => Date.parse(one.expires) - Date.parse(other.expires))
  return (
    <tr class={failure === null && !isStale ? '' : 'stale'}>
      <td>{link}</td>
      <td>
        <Sign kind={failure === null ? snapshot.verdict.level : 'unseen'} />
        {failure === null ? '' : 'was '}
        {snapshot.verdict.word}
      </td>
      <td class="number">
        {snapshot.machines.filter(({ ready }) => ready).length}/{snapshot.machines.length}
      </td>
      <td>{snapshot.versions.talos.join(', ') || snapshot.talos_version}</td>
      <td>{snapshot.versions.kubernetes.join(', ') || snapshot.kubernetes_version}</td>
      <td>{urgent === 0 ? 'none' : urgent}</td>
      <td>{snapshot.drift.length === 0 ? 'none' : snapshot.drift.length}</td>
      <td>
        {snapshot.watch?.pending == null ? (
          '-'
        ) : (
          <a href={address('plan', '', index)}>
            since <Ago at={snapshot.watch.pending.since} />
          </a>
        )}
      </td>
      <td>{next === undefined ? '-' : <Until at={next.expires} />}</td>
      <td>{snapshot.backup.value === null ? 'not seen' : <Ago at={snapshot.backup.value.newest} />}</td>
      <td>
        {run === undefined ? (
          '-'
        ) : (
          <>
            {run.goal} {run.outcome ?? 'running'}, <Time at={run.started} />
          </>
        )}
      </td>
      <td class={isStale ? 'warn' : ''}>
        <Ago at={snapshot.at} />
      </td>
    </tr>
  )
}
