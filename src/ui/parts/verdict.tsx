import type { Snapshot } from '../../page/snapshot.js'
import type { ClusterState } from '../../page/state.js'
import { durationText } from '../../report/duration.js'
import { address } from '../data/store.js'
import { Ago, useOld } from './age.js'
import { Command, forCluster } from './command.js'
import { countOf } from './format.js'
import { Sign } from './sign.js'

const maxShown = 4

/** One word, one sentence, and what to do next. */
export function Verdict({ state }: { readonly state: ClusterState }) {
  const { name, snapshot, failure, options } = state
  const isStale = useOld(snapshot?.at ?? null)
  if (snapshot === null)
    return (
      <section class="panel verdict unseen">
        <h1>
          <span class="word">{failure === null ? `Looking at ${name}…` : `? ${name} CANNOT BE SEEN`}</span>
        </h1>
        <Failed failure={failure} />
      </section>
    )
  const { findings, machines, sources, took_ms: took, at } = snapshot
  // What was seen before is no verdict on now.
  const isAway = failure !== null
  const verdict = isAway ? ({ ...snapshot.verdict, level: 'unseen', word: 'NOT SEEN' } as const) : snapshot.verdict
  const ready = machines.filter((machine) => machine.ready).length
  const urgent = findings.filter(({ finding }) => finding.severity !== 'info')
  const known = urgent.slice(0, maxShown)
  return (
    <section class={`panel verdict ${verdict.level}${isStale ? ' stale' : ''}`} aria-live="polite">
      <div class="line">
        <h1>
          <Sign kind={verdict.level} />
          <span class={`word ${colours[verdict.level]}`}>{verdict.word}</span>{' '}
          {isAway ? `It was ${snapshot.verdict.word}: ` : ''}
          {seesNodes(snapshot) ? ready : '?'} of {countOf(machines.length, 'machine')} ready
        </h1>
      </div>
      <p class="sources quiet small">
        {sources.map(({ name: source, is_seen: isSeen, why }) => (
          <span key={source} title={why ?? undefined}>
            <Sign kind={isSeen && !isAway ? 'well' : 'unseen'} />
            {source}
            {why === null ? '' : `: ${why}`}
          </span>
        ))}
        <span>
          {isAway ? 'last ' : ''}seen <Ago at={at} />, in {durationText(took)}
        </span>
      </p>
      <Failed failure={failure} />
      {urgent.length === 0 && verdict.problems.length === 0 ? null : (
        <ul class="rows">
          {urgent.length > 0
            ? known.map(({ finding, effects }) => (
                <li class="finding" key={finding.code + finding.subject.name}>
                  <Sign kind={finding.severity} />
                  <div class="body">
                    <p>
                      {finding.title}
                      {effects.length === 0 ? null : (
                        <span class="quiet"> It explains {countOf(effects.length, 'other')}.</span>
                      )}
                    </p>
                    {/* The words hold the condition: a command alone could do harm. */}
                    <p class="quiet small">{finding.cure?.text}</p>
                    {finding.cure?.command === undefined ? null : (
                      <Command text={forCluster(finding.cure.command, options)} />
                    )}
                  </div>
                </li>
              ))
            : verdict.problems.slice(0, maxShown).map(({ text, fix }) => (
                <li class="finding" key={text}>
                  <Sign kind="blocks" />
                  <div class="body">
                    <p>{text}</p>
                    <p class="quiet small">Fix: {fix}</p>
                  </div>
                </li>
              ))}
        </ul>
      )}
      {urgent.length > maxShown ? (
        <a class="small" href={address('cluster')}>
          and {urgent.length - maxShown} more
        </a>
      ) : null}
    </section>
  )
}

/** Whether a machine is ready is known from its node. */
export function seesNodes({ sources }: Snapshot): boolean {
  return sources.find(({ name }) => name === 'Kubernetes')?.is_seen ?? true
}

const colours = { well: 'ok', warns: 'warn', blocks: 'bad', unseen: 'quiet' } as const

/** Why there is nothing newer. */
export function Failed({ failure }: Pick<ClusterState, 'failure'>) {
  if (failure === null) return null
  return (
    <div class="finding" role="alert">
      <Sign kind="unseen" />
      <div class="body">
        <p>
          {failure.problem}{' '}
          <span class="quiet">
            Not seen since <Ago at={failure.since} />.
          </span>
        </p>
        {failure.where === '' ? null : <p class="quiet small">where: {failure.where}</p>}
        {failure.fix === '' ? null : <p>{failure.fix}</p>}
      </div>
    </div>
  )
}
