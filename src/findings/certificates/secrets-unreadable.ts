import { defineFinding } from '../define-finding.js'

export const secretsUnreadable = defineFinding({
  code: 'ICH0803',
  name: 'An API server cannot read the Secrets in etcd',
  severity: 'blocks',
  needs: ['talos', 'kubernetes'],
  *find({ unreadable = [] }) {
    for (const { machine, why } of unreadable)
      yield {
        subject: { kind: 'machine', name: machine },
        title: `The API server of ${machine} cannot read the Secrets in etcd.`,
        detail: `${why} It has other keys than the ones that they were written with.`,
        cure: { text: 'Put the newest secrets back (git pull), then run ichor up.' },
      }
  },
})
