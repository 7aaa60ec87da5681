import { expect, test } from 'vitest'
import { collectRefusals } from './collect-refusals.js'
import { unknownHost } from './inventory.js'
import { oldProxmox } from './proxmox.js'
import { notConverging } from './runs.js'

const subject = { kind: 'cluster', name: 'dev' } as const
const refusing = (refused: Error) => () => {
  throw refused
}
const old = oldProxmox.refuse('Proxmox is too old.', { subject, where: 'Proxmox', fix: 'Upgrade it.' })
const unknown = unknownHost.refuse('There is no pve9.', { subject, where: 'cluster.yaml:4', fix: 'Correct the name.' })
const other = notConverging.refuse('Something else.', { subject, where: 'there', fix: 'Look.' })

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

test('all refusals are shown together, what is solved first first', () => {
  const refusals = collectRefusals()
  for (const refused of [other, unknown, old]) refusals.attempt(refusing(refused), undefined)
  const thrown = thrownBy(() => refusals.finish(() => 'the plan'))
  expect(thrown).toMatchObject({
    message: 'Proxmox is too old.\nThere is no pve9.\nSomething else.',
    where: 'Proxmox; cluster.yaml:4; there',
    fix: 'Upgrade it.\nCorrect the name.\nLook.',
    findings: [{ code: 'ICH0251' }, { code: 'ICH0151' }, { code: 'ICH0371' }],
  })
})

test('the last step is refused with the others, also if it has collected several itself', () => {
  const inner = collectRefusals()
  inner.attempt(refusing(other), undefined)
  const outer = collectRefusals()
  outer.attempt(refusing(old), undefined)
  outer.attempt(refusing(old), undefined)
  const thrown = thrownBy(() => outer.finish(() => inner.finish(refusing(unknown))))
  expect(thrown).toMatchObject({ findings: [{ code: 'ICH0251' }, { code: 'ICH0151' }, { code: 'ICH0371' }] })
})

test('one refusal is thrown as it is, and without any the result counts', () => {
  const refusals = collectRefusals()
  expect(refusals.attempt(() => 1, 2)).toBe(1)
  expect(refusals.finish(() => 'the plan')).toBe('the plan')
  expect(refusals.attempt(refusing(old), 2)).toBe(2)
  expect(thrownBy(() => refusals.finish(() => 'the plan'))).toBe(old)
})

test('what does not block the goal is left out', () => {
  const refusals = collectRefusals('destroy')
  refusals.attempt(refusing(old), undefined)
  expect(refusals.finish(() => 'the plan')).toBe('the plan')
})

test('another error is not a refusal', () => {
  const bug = new Error('undefined is not a function')
  expect(thrownBy(() => collectRefusals().attempt(refusing(bug), undefined))).toBe(bug)
})
