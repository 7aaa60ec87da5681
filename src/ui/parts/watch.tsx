import type { WatchView } from '../../page/snapshot.js'
import type { ClusterState } from '../../page/state.js'
import { address } from '../data/store.js'
import { Ago, SeenPanel, Time, Until } from './age.js'
import { countOf } from './format.js'
import { Sign } from './sign.js'

/** What `ichor watch` has written down on this computer. */
export function Watch({ snapshot }: Pick<ClusterState, 'snapshot'>) {
  const watch = snapshot?.watch ?? null
  if (snapshot === null || watch === null) return null
  return (
    <SeenPanel title="Watch" at={snapshot.at}>
      <dl class="pairs">
        <dt>pending plan</dt>
        <dd>
          <Pending watch={watch} />
        </dd>
        <dt>window</dt>
        <dd>
          <Window watch={watch} />
        </dd>
        <dt>last pass</dt>
        <dd>
          <Ago at={watch.seen_at} />
        </dd>
      </dl>
      {watch.problem === null ? null : (
        <p class="small">
          <Sign kind="warns" />
          {watch.problem}
        </p>
      )}
    </SeenPanel>
  )
}

export function Pending({ watch: { pending } }: { readonly watch: WatchView }) {
  if (pending === null) return <>none</>
  return (
    <>
      <a href={address('plan')}>{pending.steps === null ? 'a plan' : countOf(pending.steps, 'step')}</a>{' '}
      <span class="quiet">
        since <Ago at={pending.since} />
      </span>
    </>
  )
}

function Window({ watch: { applies, open_until: until, opens } }: { readonly watch: WatchView }) {
  if (!applies) return <>it looks only: watch.apply is off</>
  if (until !== null)
    return (
      <>
        open until <Time at={until} />
      </>
    )
  return opens === null ? (
    <>always open for approved plans</>
  ) : (
    <>
      <Time at={opens} />, <Until at={opens} />
    </>
  )
}
