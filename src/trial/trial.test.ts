import { expect, test } from 'vitest'
import type { Mark } from '../ownership/mark.js'
import { readMark, writeMark } from '../ownership/mark.js'
import { createSealer } from '../ownership/seal.js'
import { readTrial, withoutTrial, withTrial } from './trial.js'

const mark: Mark = {
  cluster: 'c1',
  node: 'dev-wk-1',
  role: 'worker',
  vmid: 2000,
  uuid: 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
  mac: '02:CA:F5:11:7F:D0',
  stage: 'made',
  spec: 's1',
  image: 'i1',
  talos: 'v1.13.9',
  kubernetes: 'v1.34.1',
}
const trial = {
  step: 'abcdef012345',
  deadline: new Date('2026-01-02T03:04:05.000Z'),
  before: { net0: 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0', net1: undefined },
}

test('a trial survives being written into the notes of a VM, and is read with the seal', () => {
  const sealer = createSealer({ id: 'id', secret: 'secret' })
  const written = readMark(writeMark('notes of the user', withTrial(mark, trial), sealer))
  expect(written === undefined ? undefined : readTrial(written.mark)).toEqual(trial)
})

test('a mark without a trial is as it was before', () => {
  expect(readTrial(mark)).toBeUndefined()
  expect(withoutTrial(withTrial(mark, trial))).toEqual(mark)
  const more = { template: 'talos' }
  expect(withoutTrial(withTrial({ ...mark, more }, trial))).toEqual({ ...mark, more })
})
