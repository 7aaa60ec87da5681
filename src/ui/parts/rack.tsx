import type { ComponentChildren } from 'preact'
import { sizeText } from '../../cluster/size-text.js'
import type { BlockView, HostView, LossView, MachineView } from '../../page/snapshot.js'
import { Ago, useOld } from './age.js'
import { percent, sizeOf } from './format.js'
import { Sign, type SignKind } from './sign.js'
import { Sparkline } from './sparkline.js'

const GiB = 1024 ** 3

interface RackProps {
  readonly host: HostView
  readonly machines: ReadonlyMap<string, MachineView>
  readonly leader: string | undefined
  readonly memory: readonly number[]
  readonly cpu: readonly number[]
  readonly loss: LossView | undefined
  readonly isChosen: boolean
  /** Whether nodes are seen: without, it is not known of a machine that runs whether it is ready. */
  readonly seesNodes: boolean
  choose(): void
}

/** A host: what has memory on it, what is free, its storages, and whether it may be lost. */
export function Rack({ host, machines, leader, memory, cpu, loss, isChosen, seesNodes, choose }: RackProps) {
  const { name, online, maintenance, at, blocks, reserve, storages, memory: total, memory_used: used } = host
  const running = blocks.filter(({ state }) => state !== 'stopped')
  const taken = running.reduce((sum, block) => sum + (block.memory ?? 0), 0)
  const free = total === null ? null : total - taken - reserve
  const isStale = useOld(at)
  return (
    <section
      class={`panel rack${online ? '' : ' offline'}${isStale ? ' stale' : ''}${isChosen ? ' chosen' : ''}`}
      aria-label={`Host ${name}`}
    >
      <header>
        <h2>{name}</h2>
        {online ? (
          <span class="quiet small">
            {maintenance ? 'in maintenance' : (size(total) ?? 'size not seen')}
            {host.proxmox_version === null ? '' : `, Proxmox VE ${host.proxmox_version}`}
          </span>
        ) : (
          <span class="bad small">
            <Sign kind="blocks" />
            offline
          </span>
        )}
      </header>
      <ul class="bay">
        {blocks.map((block) => (
          <Block
            key={`${block.kind}${block.vmid}`}
            block={block}
            machine={machines.get(block.name)}
            isLeader={leader === block.name}
            seesNodes={seesNodes}
          />
        ))}
        {online && reserve > 0 ? <Room kind="reserve" bytes={reserve} /> : null}
        {online && free !== null && free > 0 ? <Room kind="free" bytes={free} /> : null}
        {free !== null && free < 0 ? (
          <li class="small warn">
            <Sign kind="warns" />
            {sizeText(-free)} more are given to VMs than the host has
          </li>
        ) : null}
      </ul>
      <div class={`stack${online ? '' : ' stale'}`}>
        {total === null || used === null ? null : (
          <Meter label="memory in use" text={sizeOf(used, total)} share={used / total}>
            <Sparkline shares={memory} label={`Memory of ${name} in the last looks`} />
          </Meter>
        )}
        {host.cpu_ratio === null ? null : (
          <Meter label="CPU" text={percent(host.cpu_ratio)} share={host.cpu_ratio}>
            <Sparkline shares={cpu} label={`CPU of ${name} in the last looks`} />
          </Meter>
        )}
        {storages.map(({ name: storage, total: size, used: full, shared, metadata_share: metadata }) => (
          <Meter
            key={storage}
            label={shared ? `${storage} (shared)` : storage}
            text={`${percent(full / size)}${metadata === null ? '' : `, metadata ${percent(metadata)}`}`}
            share={size === 0 ? 0 : full / size}
            level={levelOf(full / size, metadata)}
          />
        ))}
        {online ? null : (
          <p class="quiet small">
            {at === null ? (
              'Its size and its storages were not seen.'
            ) : (
              <>
                These numbers are from <Ago at={at} />.
              </>
            )}
          </p>
        )}
      </div>
      {loss === undefined ? null : (
        <button type="button" class="lose" aria-pressed={isChosen} onClick={choose}>
          {online ? 'If it is lost: ' : 'Without it: '}
          {lossText(loss)}
        </button>
      )}
    </section>
  )
}

function size(bytes: number | null): string | undefined {
  return bytes === null ? undefined : sizeText(bytes)
}

function levelOf(share: number, metadata: number | null): '' | 'warn' | 'bad' {
  const worst = Math.max(share, metadata === null ? 0 : metadata + 0.1)
  return worst >= 0.95 ? 'bad' : worst >= 0.85 ? 'warn' : ''
}

function lossText({ etcd, api, refit, pools }: LossView): string {
  if (!etcd.survives) return '✗ etcd'
  if (!api.survives) return '✗ API'
  const pool = pools.find(({ survives }) => !survives)
  if (pool !== undefined) return `✗ ${pool.name}`
  return refit.fits === false ? '! no room' : refit.fits === null ? '? room' : '✓'
}

function Block({
  block,
  machine,
  isLeader,
  seesNodes,
}: {
  readonly block: BlockView
  readonly machine: MachineView | undefined
  readonly isLeader: boolean
  readonly seesNodes: boolean
}) {
  const { kind, name, memory, state } = block
  const [looks, sign] = looksOf(block, machine, seesNodes)
  const used = machine?.memory_used ?? null
  const usedText = used === null || memory === null ? undefined : sizeOf(used, memory)
  const spoken = machine === undefined ? `${name}, ${state}` : `${name}, ${machine.role}, ${machine.state}`
  return (
    <li
      class={`block ${looks}`}
      style={{ '--memory': Math.max(0.5, (state === 'stopped' ? 0 : (memory ?? 0)) / GiB) }}
      title={[
        spoken,
        machine?.address,
        usedText && `memory in use, by its kubelet: ${usedText}`,
        ...(machine?.problems ?? []).map(({ text }) => text),
      ]
        .filter(Boolean)
        .join('\n')}
    >
      {kind === 'machine' ? <Sign kind={sign} /> : null}
      <span class="name">{name}</span>
      {isLeader ? (
        <span class="quiet" title="leads etcd">
          <span aria-hidden="true">★</span>
          <span class="hidden-text">leads etcd</span>
        </span>
      ) : null}
      {kind === 'machine' && machine !== undefined && !machine.ready ? (
        <span class="small">{machine.state}</span>
      ) : null}
      <span class="size">{state === 'stopped' ? 'stopped' : (usedText ?? size(memory) ?? '')}</span>
    </li>
  )
}

export function signOfMachine({ ready, state, problems }: MachineView, seesNodes: boolean): SignKind {
  if (ready) return problems.length === 0 ? 'well' : 'warns'
  const isUnseen = ['host down', 'unverified'].includes(state) || (!seesNodes && state === 'running')
  return isUnseen ? 'unseen' : 'blocks'
}

function looksOf({ kind, state }: BlockView, machine: MachineView | undefined, seesNodes: boolean): [string, SignKind] {
  if (kind !== 'machine') return [state === 'stopped' ? 'foreign off' : 'foreign', 'info']
  if (machine === undefined) return ['unknown', 'unseen']
  const sign = signOfMachine(machine, seesNodes)
  if (sign === 'well') return [machine.role === 'controlplane' ? 'controlplane' : '', sign]
  if (sign === 'unseen') return ['unknown', sign]
  return [machine.state === 'stopped' ? 'off' : 'trouble', sign]
}

function Room({ kind, bytes }: { readonly kind: 'reserve' | 'free'; readonly bytes: number }) {
  return (
    <li class={`block ${kind}`} style={{ '--memory': bytes / GiB }}>
      <span class="name">{kind === 'reserve' ? 'kept free' : 'free'}</span>
      <span class="size">{sizeText(bytes)}</span>
    </li>
  )
}

interface MeterProps {
  readonly label: string
  readonly text: string
  readonly share: number
  readonly level?: '' | 'warn' | 'bad'
  readonly children?: ComponentChildren
}

function Meter({ label, text, share, level = '', children }: MeterProps) {
  return (
    <div class={`meter ${level}`}>
      <span>
        {label} {children}
      </span>
      <span class="quiet">
        {level === '' ? null : <Sign kind={level === 'bad' ? 'blocks' : 'warns'} />}
        {text}
      </span>
      <div class="track">
        <div class="fill" style={{ '--share': `${Math.min(100, share * 100)}%` }} />
      </div>
    </div>
  )
}
