import type { World } from '../world.js'

type Asked = Pick<World, 'talos' | 'kubernetes' | 'clock'>

/** The world for one wait with many checks: shared queries run once, until one of the checks has to wait. */
export function withSharedAnswers(world: Asked): Asked {
  const answers = new Map<string, Promise<unknown>>()
  const share = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const known = answers.get(key) ?? ask()
    answers.set(key, known)
    known.catch(() => answers.delete(key))
    return known as Promise<T>
  }
  return {
    clock: {
      ...world.clock,
      sleep: async (ms, signal) => {
        await world.clock.sleep(ms, signal)
        answers.clear()
      },
    },
    talos: {
      ...world.talos,
      node: (target) => {
        const node = world.talos.node(target)
        const { etcd } = node
        const key = `${target.machine} ${target.address}`
        return {
          ...node,
          services: (signal) => share(`${key} services`, () => node.services(signal)),
          etcd: {
            ...etcd,
            members: (options, signal) => share(`${key} members ${options.local}`, () => etcd.members(options, signal)),
          },
        }
      },
    },
    kubernetes: {
      ...world.kubernetes,
      at: (endpoints) => {
        const api = world.kubernetes.at(endpoints)
        return { ...api, nodes: (signal) => share('nodes', () => api.nodes(signal)) }
      },
    },
  }
}
