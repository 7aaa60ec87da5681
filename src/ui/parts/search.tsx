import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PageState } from '../../page/state.js'
import { address, cluster, isSearching, screens, state } from '../data/store.js'
import { copyText, forCluster } from './command.js'
import { timeText } from './format.js'

interface Found {
  readonly kind: string
  readonly text: string
  readonly more: string
  go(): void
}

const maxFound = 40

/** Finds machines, hosts, findings, runs, clusters, screens and commands. */
export function Search() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  // At once: what is typed after the slash belongs into the field.
  useLayoutEffect(() => {
    if (!isSearching.value) return
    setText('')
    setIndex(0)
    dialog.current?.showModal()
  }, [isSearching.value])
  if (state.value === undefined || !isSearching.value) return <dialog ref={dialog} aria-label="Search" />
  const words = text.toLowerCase().split(/\s+/)
  const found = everything(state.value)
    .filter((one) => words.every((word) => `${one.kind} ${one.text} ${one.more}`.toLowerCase().includes(word)))
    .slice(0, maxFound)
  const choose = (one: Found | undefined) => {
    one?.go()
    dialog.current?.close()
  }
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      setIndex(Math.min(found.length - 1, Math.max(0, index + by)))
    }
    // A field for searching would only be emptied by the first one.
    if (event.key === 'Escape') dialog.current?.close()
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[index])
    }
  }
  return (
    <dialog ref={dialog} aria-label="Search" onClose={() => (isSearching.value = false)}>
      <input
        type="search"
        aria-label="Find machines, hosts, findings, runs and commands"
        aria-controls="results"
        aria-activedescendant={`result-${index}`}
        placeholder="machine, host, finding, run, command"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={onKey}
      />
      <div class="results" id="results" role="listbox" tabIndex={-1} aria-label="Results">
        {found.map((one, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${one.kind}${one.text}${at}`}
            id={`result-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onClick={() => choose(one)}
          >
            <span class="kind small">{one.kind}</span>
            <span>
              {one.text} <span class="quiet small">{one.more}</span>
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 ? <p class="dialog-body quiet">Nothing of that name.</p> : null}
    </dialog>
  )
}

function everything({ clusters, commands }: PageState): Found[] {
  const { snapshot, runs = [], options = '' } = cluster.value ?? {}
  const to = (hash: string) => () => {
    location.hash = hash
  }
  return [
    ...(snapshot?.machines ?? []).map(({ name, state: how, host, address: ip }) => ({
      kind: 'machine',
      text: name,
      more: [how, host, ip].filter((part) => part !== null).join(', '),
      go: to(address('cluster', `machine-${name}`)),
    })),
    ...(snapshot?.hosts ?? []).map(({ name, online }) => ({
      kind: 'host',
      text: name,
      more: online ? 'what if it is lost' : 'offline',
      go: to(address('estate', name)),
    })),
    ...(snapshot?.findings ?? []).map(({ finding }) => ({
      kind: 'finding',
      text: finding.title,
      more: finding.code,
      go: to(address('cluster', `finding-${finding.code}-${finding.subject.name}`)),
    })),
    ...runs.map(({ id, goal, outcome, started }) => ({
      kind: 'run',
      text: goal,
      more: `${outcome ?? 'no end'}, ${timeText(started, Date.now())}`,
      go: to(address('runs', id)),
    })),
    ...clusters.map(({ name }, at) => ({ kind: 'cluster', text: name, more: '', go: to(address('estate', '', at)) })),
    ...screens.map((name) => ({ kind: 'screen', text: name, more: '', go: to(address(name)) })),
    ...commands.map(({ name, summary }) => ({
      kind: 'command',
      text: `ichor ${name}`,
      more: `${summary} (copies it)`,
      go: () => void copyText(forCluster(`ichor ${name}`, options)),
    })),
  ]
}
