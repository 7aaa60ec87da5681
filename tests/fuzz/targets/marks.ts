import fc from 'fast-check'
import { readNote } from '../../../src/ownership/lease-note.js'
import { readMark } from '../../../src/ownership/mark.js'
import { defineTarget } from '../target.js'
import { anyJson, damagedText } from '../values.js'

const mark = `My notes.

\`\`\`ichor
cluster: 0123456789abcdef
node: dev-cp-1
role: controlplane
vmid: 2000
uuid: b80c72ea-4c55-8b7f-8ccd-f027daafa86a
mac: 02:CA:F5:11:7F:D0
stage: made
spec: 0123456789ab
image: abc
talos: v1.13.9
kubernetes: v1.34.1
bootstrap: done
\`\`\`
more notes`

export const marks = defineTarget({
  name: 'marks',
  prepare: async () => ({
    inputs: fc.oneof(
      damagedText(mark),
      damagedText(encodeURIComponent(mark)),
      anyJson(['run', 'user', 'host', 'boot', 'pid', 'started', 'intent', 'renewal']).map((value) =>
        JSON.stringify(value),
      ),
      fc.string({ unit: 'binary', maxLength: 100 }),
    ),
    read: (text) => {
      readMark(text)
      readNote(text)
    },
  }),
})
