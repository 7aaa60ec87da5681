import { currentOperator } from './operator.js'

const RealDate = Date

/** Whoever runs ichor sees the time of their own computer; the lab, which shares this process, sees the right one. */
export function useOperatorsDate(): void {
  const now = () => RealDate.now() + (currentOperator()?.clockMs ?? 0)
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  })
}
