import type { Finding } from '../../findings/finding.js'
import type { ClusterState } from '../../page/state.js'
import { Command, forCluster } from './command.js'
import { Sign } from './sign.js'

/** One that explains others stands above them. */
function FindingItem({
  finding,
  effects,
  options,
}: {
  readonly finding: Finding
  readonly effects: readonly Finding[]
  readonly options: string
}) {
  const { code, severity, certainty, title, detail, where, cure } = finding
  return (
    <li class="finding" id={`finding-${code}-${finding.subject.name}`}>
      <Sign kind={severity} />
      <div class="body">
        <p>
          {title} <span class="quiet small mono">{code}</span>
          {certainty === 'likely' ? <span class="quiet small"> likely</span> : null}
        </p>
        <p class="quiet small">{detail}</p>
        {where === undefined ? null : <p class="quiet small">where: {where}</p>}
        {cure === undefined ? null : <p>{cure.text}</p>}
        {cure?.command === undefined ? null : <Command text={forCluster(cure.command, options)} />}
        {effects.length === 0 ? null : (
          <ul class="effects small">
            {effects.map((effect) => (
              <li key={effect.code + effect.subject.name}>
                {effect.title} <span class="mono">{effect.code}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

export function Findings({
  snapshot,
  options,
  most,
}: Pick<ClusterState, 'snapshot' | 'options'> & { readonly most?: number }) {
  const groups = (snapshot?.findings ?? []).slice(0, most)
  return (
    <ul class="rows">
      {groups.map(({ finding, effects }) => (
        <FindingItem key={finding.code + finding.subject.name} finding={finding} effects={effects} options={options} />
      ))}
    </ul>
  )
}
