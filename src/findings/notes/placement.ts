import { defineNote } from './define-note.js'

export const majorityOnOneHost = defineNote({
  code: 'ICH1002',
  name: 'The loss of one host costs the majority',
  severity: 'warns',
  detail: 'Without a majority, etcd accepts no changes.',
})

export const otherHost = defineNote({
  code: 'ICH1005',
  name: 'A machine is not on the host that it is pinned to',
  severity: 'info',
  detail: 'ichor does not move machines because of a pin.',
})

export const notBackHome = defineNote({
  code: 'ICH1030',
  name: 'A machine has not returned to its host after an evacuation',
  severity: 'info',
  detail: 'It moves back once its host is there and has enough memory free.',
})

export const otherStorage = defineNote({
  code: 'ICH1031',
  name: 'A disk is on another storage than in the inventory',
  severity: 'info',
  detail: 'Moving a disk is left to a person.',
})
