import { sizeText } from '../../cluster/size-text.js'
import type { Snapshot } from '../../page/snapshot.js'
import type { ClusterState } from '../../page/state.js'
import { chosen } from '../data/store.js'
import { Ago, SeenPanel, Until } from '../parts/age.js'
import { Findings } from '../parts/findings.js'
import { signOfMachine } from '../parts/rack.js'
import { Scroll } from '../parts/scroll.js'
import { Sign } from '../parts/sign.js'
import { useGrowing } from '../parts/use-growing.js'
import { seesNodes, Verdict } from '../parts/verdict.js'
import { Versions } from '../parts/versions.js'
import { Watch } from '../parts/watch.js'

const machinesAtOnce = 40

export function Cluster({ state }: { readonly state: ClusterState }) {
  const { snapshot } = state
  if (snapshot === null) return <Verdict state={state} />
  return (
    <>
      <Verdict state={state} />
      <div class="columns">
        <div class="stack">
          <SeenPanel title="Findings" at={snapshot.at}>
            {snapshot.findings.length === 0 ? <p class="quiet">Nothing that does not fit.</p> : <Findings {...state} />}
          </SeenPanel>
          <Unknown snapshot={snapshot} />
          <Versions {...state} />
          <Ages snapshot={snapshot} />
          <Watch {...state} />
        </div>
        <div class="stack">
          <Api snapshot={snapshot} />
          <Etcd snapshot={snapshot} />
          <Nodes snapshot={snapshot} />
          <Addons snapshot={snapshot} />
        </div>
      </div>
    </>
  )
}

interface Props {
  readonly snapshot: Snapshot
}

/** What could not be judged is never shown as well. */
function Unknown({ snapshot: { unknown, at } }: Props) {
  if (unknown.length === 0) return null
  return (
    <SeenPanel title="Not seen" at={at}>
      <p class="quiet small">Findings that depend on it may be missing.</p>
      <ul class="rows">
        {unknown.map(({ what, why }) => (
          <li key={what}>
            <Sign kind="unseen" />
            {what}: <span class="quiet">{why}</span>
          </li>
        ))}
      </ul>
    </SeenPanel>
  )
}

function Api({ snapshot: { api, endpoint } }: Props) {
  const { vip = null, holder = null, version = '', servers = [] } = api.value ?? {}
  return (
    <SeenPanel title="Kubernetes API" {...api}>
      <dl class="pairs">
        <dt>endpoint</dt>
        <dd class="mono">{endpoint ?? 'none'}</dd>
        {api.value === null ? null : (
          <>
            <dt>VIP</dt>
            <dd>
              {vip === null ? (
                'none: the endpoint does not move'
              ) : (
                <>
                  <Sign kind={holder === null ? 'unseen' : 'well'} />
                  <span class="mono">{vip}</span> {holder === null ? 'was seen on no control plane' : `is on ${holder}`}
                </>
              )}
            </dd>
            <dt>version</dt>
            <dd>{version}</dd>
            <dt>control planes</dt>
            <dd>
              {servers.map(({ name, address, ready }) => (
                <p key={name}>
                  <Sign kind={ready ? 'well' : 'blocks'} />
                  <span class="mono">
                    {name} {address ?? ''}
                  </span>
                </p>
              ))}
            </dd>
          </>
        )}
      </dl>
    </SeenPanel>
  )
}

function Etcd({ snapshot: { etcd } }: Props) {
  return (
    <SeenPanel title="etcd" {...etcd}>
      {etcd.value === null ? null : (
        <Scroll label="Members of etcd">
          <table>
            <thead>
              <tr>
                <th>member</th>
                <th>role</th>
                <th>version</th>
                <th class="number">in use</th>
                <th class="number">size</th>
              </tr>
            </thead>
            <tbody>
              {etcd.value.members.map((member) => (
                <tr key={member.name}>
                  <td>
                    <Sign kind={member.healthy ? 'well' : 'blocks'} />
                    <span class="mono">{member.name}</span>
                  </td>
                  <td>{member.leader ? 'leader' : member.learner ? 'learner' : 'follower'}</td>
                  <td>{member.version ?? '?'}</td>
                  <td class="number">{member.in_use === null ? '?' : sizeText(member.in_use)}</td>
                  <td class="number">{member.size === null ? '?' : sizeText(member.size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </SeenPanel>
  )
}

function Nodes({ snapshot }: Props) {
  const { machines, at, talos_version: talos, kubernetes_version: kubernetes, roll } = snapshot
  const drawn = useGrowing(machines.length, machinesAtOnce)
  // What was searched for is scrolled to at once.
  const shown = chosen.value.startsWith('machine-') ? machines : machines.slice(0, drawn)
  return (
    <SeenPanel title="Machines" at={at}>
      {roll === null ? null : (
        <p class="warn">
          {roll.kind === 'talos' ? 'Talos' : 'Kubernetes'} {roll.from} → {roll.to}: {roll.left} left
        </p>
      )}
      <Scroll label="Machines">
        <table>
          <thead>
            <tr>
              <th>machine</th>
              <th>host</th>
              <th>address</th>
              <th>state</th>
              <th class="number">memory in use</th>
              <th>Talos</th>
              <th>Kubernetes</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((machine) => (
              <tr key={machine.name} id={`machine-${machine.name}`}>
                <td>
                  <Sign kind={signOfMachine(machine, seesNodes(snapshot))} />
                  <span class="mono">{machine.name}</span>
                </td>
                <td>{machine.host ?? '-'}</td>
                <td class="mono">{machine.address ?? '-'}</td>
                <td>
                  {machine.state}
                  {machine.problems.map(({ text }) => (
                    <p class="small warn" key={text}>
                      {text}
                    </p>
                  ))}
                </td>
                <td class="number" title="by its kubelet, through metrics-server">
                  {machine.memory_used === null ? '?' : sizeText(machine.memory_used)}
                </td>
                <Version seen={machine.talos_version} wanted={talos} />
                <Version seen={machine.kubernetes_version} wanted={kubernetes} />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </SeenPanel>
  )
}

function Version({ seen, wanted }: { readonly seen: string | null; readonly wanted: string }) {
  const differs = seen !== null && seen !== wanted
  return (
    <td class={differs ? 'warn' : ''} title={differs ? `the inventory wants ${wanted}` : undefined}>
      {seen ?? '?'}
      {differs ? ` → ${wanted}` : ''}
    </td>
  )
}

function Addons({ snapshot: { addons } }: Props) {
  return (
    <SeenPanel title="Addons" {...addons}>
      <ul class="rows">
        {(addons.value ?? []).map(({ name, version, healthy, reason }) => (
          <li key={name}>
            <Sign kind={healthy ? 'well' : 'blocks'} />
            {name} <span class="quiet">{version}</span> {reason === null ? '' : reason}
          </li>
        ))}
      </ul>
    </SeenPanel>
  )
}

function Ages({ snapshot: { expiries, backup, at } }: Props) {
  return (
    <SeenPanel title="Certificates, tokens, snapshots" at={at}>
      <dl class="pairs">
        {expiries.map(({ name, expires, soon }) => (
          <>
            <dt>{name}</dt>
            <dd class={soon ? 'warn' : ''}>
              {soon ? <Sign kind="warns" /> : null}
              <Until at={expires} />
            </dd>
          </>
        ))}
        <dt>snapshot of etcd</dt>
        <dd>{backup.value === null ? (backup.why ?? 'not seen') : <Ago at={backup.value.newest} />}</dd>
        <dt>drill</dt>
        <dd>{backup.value === null ? 'not seen' : <Ago at={backup.value.drilled} />}</dd>
      </dl>
    </SeenPanel>
  )
}
