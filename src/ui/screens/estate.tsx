import type { ComponentChildren } from 'preact'
import type { LossView, Snapshot } from '../../page/snapshot.js'
import type { ClusterState } from '../../page/state.js'
import { durationText } from '../../report/duration.js'
import { address, chosen } from '../data/store.js'
import { Ago, Time, Until, useOld } from '../parts/age.js'
import { Command, forCluster } from '../parts/command.js'
import { countOf } from '../parts/format.js'
import { Rack } from '../parts/rack.js'
import { Sign } from '../parts/sign.js'
import { useGrowing } from '../parts/use-growing.js'
import { seesNodes, Verdict } from '../parts/verdict.js'
import { Pending } from '../parts/watch.js'

const hostsAtOnce = 8

export function Estate({ state }: { readonly state: ClusterState }) {
  const { snapshot, history, options } = state
  const drawnHosts = useGrowing(snapshot?.hosts.length ?? 0, hostsAtOnce)
  if (snapshot === null) return <Verdict state={state} />
  const machines = new Map(snapshot.machines.map((machine) => [machine.name, machine]))
  const leader = snapshot.etcd.value?.members.find((member) => member.leader)?.name
  const loss = snapshot.losses.find(({ host }) => host === chosen.value)
  const choose = (host: string) => {
    location.hash = address('estate', chosen.value === host ? '' : host)
  }
  return (
    <>
      <Verdict state={state} />
      {loss === undefined ? null : <WhatIf loss={loss} options={options} />}
      <div class="racks">
        {snapshot.hosts.slice(0, drawnHosts).map((host) => (
          <Rack
            key={host.name}
            host={host}
            machines={machines}
            leader={leader}
            memory={history.flatMap(({ memory }) => memory[host.name] ?? [])}
            cpu={history.flatMap(({ cpu }) => cpu[host.name] ?? [])}
            loss={snapshot.losses.find((one) => one.host === host.name)}
            isChosen={chosen.value === host.name}
            seesNodes={seesNodes(snapshot)}
            choose={() => choose(host.name)}
          />
        ))}
      </div>
      <Nowhere snapshot={snapshot} />
      <Facts state={state} snapshot={snapshot} />
    </>
  )
}

/** The same as `capacity --live --lose HOST`. */
function WhatIf({ loss, options }: { readonly loss: LossView; readonly options: string }) {
  const { host, etcd, api, pools, refit } = loss
  const line = (survives: boolean | null, text: string) => (
    <li key={text}>
      <Sign kind={survives === null ? 'unseen' : survives ? 'well' : 'blocks'} />
      {text}
    </li>
  )
  return (
    <section class="panel what-if" aria-live="polite" aria-label={`If ${host} is lost`}>
      <header>
        <h2>If {host} is lost</h2>
        <Command text={forCluster(`ichor capacity --live --lose ${host}`, options)} />
      </header>
      <ul class="rows">
        {line(
          etcd.survives,
          `etcd ${etcd.survives ? 'keeps' : 'loses'} its majority: ${etcd.left} of ${countOf(etcd.members, 'member')} left, ${etcd.needed} needed`,
        )}
        {line(api.survives, `the API ${api.survives ? 'stays' : 'is lost'}: ${api.reason}`)}
        {pools
          .filter(({ left, machines }) => left < machines)
          .map(({ name, left, machines, survives }) =>
            line(survives, `pool ${name}: ${left} of ${countOf(machines, 'machine')} left`),
          )}
        {line(refit.fits, refit.fits === false ? `no room for its machines: ${refit.reason}` : `room: ${refit.reason}`)}
      </ul>
      {refit.moves === undefined || refit.moves.length === 0 ? null : (
        <p class="quiet small">
          They would go to: {refit.moves.map(({ machine, host: to }) => `${machine} to ${to}`).join(', ')}.
        </p>
      )}
    </section>
  )
}

/** Machines that are on no host. */
function Nowhere({ snapshot: { machines } }: { readonly snapshot: Snapshot }) {
  const absent = machines.filter(({ host }) => host === null)
  if (absent.length === 0) return null
  return (
    <section class="panel">
      <h2>On no host</h2>
      <p>
        {absent.map(({ name, state }) => (
          <span key={name} class="mono">
            {name} <span class="quiet">{state}</span>{' '}
          </span>
        ))}
      </p>
    </section>
  )
}

function Facts({ state: { runs }, snapshot }: { readonly state: ClusterState; readonly snapshot: Snapshot }) {
  const { api, etcd, backup, expiries, endpoint, machines, addons, drift, watch } = snapshot
  const { vip = null, holder = null } = api.value ?? {}
  const members = etcd.value?.members ?? []
  const nodes = machines.filter(({ kubernetes_version: version }) => version !== null)
  const [next] = expiries.toSorted((one, other) => Date.parse(one.expires) - Date.parse(other.expires))
  const [run] = runs
  const sick = (addons.value ?? []).filter(({ healthy }) => !healthy)
  return (
    <div class="facts">
      <Fact
        name="etcd"
        value={
          etcd.value === null
            ? 'not seen'
            : `${members.filter(({ healthy }) => healthy).length} of ${members.length} healthy`
        }
        more={etcd.why ?? `leader ${members.find(({ leader }) => leader)?.name ?? 'none'}`}
        at={etcd.at}
      />
      <Fact
        name="API"
        value={endpoint?.replace('https://', '') ?? 'none'}
        more={api.why ?? (vip === null ? 'without a VIP' : `VIP on ${holder ?? 'no control plane that was seen'}`)}
        at={api.at}
      />
      <Fact
        name="versions"
        value={`Talos ${snapshot.versions.talos.join(', ') || snapshot.talos_version}`}
        more={`Kubernetes ${snapshot.versions.kubernetes.join(', ') || snapshot.kubernetes_version}`}
        at={snapshot.at}
        href={address('cluster')}
      />
      <Fact
        name="nodes"
        value={
          seesNodes(snapshot)
            ? `${machines.filter(({ ready }) => ready).length} of ${machines.length} ready`
            : 'not seen'
        }
        more={api.why ?? `${nodes.length} in Kubernetes`}
        at={snapshot.at}
      />
      <Fact
        name="addons"
        value={
          addons.value === null
            ? 'not seen'
            : sick.length === 0
              ? `${addons.value.length} healthy`
              : `${sick.length} not healthy`
        }
        more={addons.why ?? sick.map(({ name }) => name).join(', ')}
        at={addons.at}
      />
      <Fact
        name="last snapshot of etcd"
        value={
          backup.value === null ? 'not seen' : backup.value.newest === null ? 'none' : <Ago at={backup.value.newest} />
        }
        more={
          backup.why ??
          (backup.value?.drilled ? (
            <>
              drilled <Ago at={backup.value.drilled} />
            </>
          ) : (
            'never drilled'
          ))
        }
        at={backup.at}
      />
      <Fact
        name="next expiry"
        value={next === undefined ? 'none known' : <Until at={next.expires} />}
        more={next?.name ?? ''}
        at={snapshot.at}
      />
      <Fact
        name="last run"
        value={run === undefined ? 'none from here' : `${run.goal} ${run.outcome ?? 'without an end'}`}
        more={
          run === undefined ? (
            ''
          ) : (
            <>
              <Time at={run.started} />
              {run.ms === null ? '' : `, ${durationText(run.ms)}`}
            </>
          )
        }
        at={null}
        href={run === undefined ? undefined : address('runs', run.id)}
      />
      <Fact
        name="differences from the inventory"
        value={drift.length === 0 ? 'none' : String(drift.length)}
        more={drift[0] ?? ''}
        at={snapshot.at}
        href={drift.length === 0 ? undefined : address('plan')}
      />
      {watch === null ? null : (
        <Fact
          name="pending plan of watch"
          value={<Pending watch={watch} />}
          more={
            watch.opens === null || !watch.applies ? (
              ''
            ) : (
              <>
                next window <Until at={watch.opens} />
              </>
            )
          }
          at={snapshot.at}
        />
      )}
    </div>
  )
}

interface FactProps {
  readonly name: string
  readonly value: ComponentChildren
  readonly more: ComponentChildren
  readonly at: string | null
  readonly href?: string | undefined
}

function Fact({ name, value, more, at, href }: FactProps) {
  const isStale = useOld(at)
  return (
    <section class={`panel fact${isStale ? ' stale' : ''}`}>
      <h2>{name}</h2>
      <p class="value">{href === undefined ? value : <a href={href}>{value}</a>}</p>
      <p class="quiet small">{more}</p>
      {at === null ? null : (
        <p class={`small ${isStale ? 'warn' : 'quiet'}`}>
          seen <Ago at={at} />
        </p>
      )}
    </section>
  )
}
