import { createHash } from 'node:crypto'
import type { ImageCalls, TaskRef } from './port.js'
import { type ExpectedTask, type StartTask, taskOf } from './start-task.js'
import type { Call } from './transport/call.js'
import { encodeUpload } from './transport/form.js'

export function imageCalls(startTask: StartTask): ImageCalls {
  const start = async (call: Call, expected: ExpectedTask, signal: AbortSignal): Promise<TaskRef> =>
    taskOf(call, await startTask(call, expected, signal))

  return {
    download: (host, storage, { url, content, filename, checksum, verifyCertificates }, signal) => {
      const form = {
        url,
        content,
        filename,
        checksum: checksum?.value,
        'checksum-algorithm': checksum?.algorithm,
        'verify-certificates': verifyCertificates,
      }
      const path = `/nodes/${host}/storage/${storage}/download-url`
      return start({ method: 'POST', path, form }, { host, types: ['download'], id: filename }, signal)
    },
    upload: (host, storage, content, name, bytes, signal) => {
      const checksum = 'sha256' in bytes ? bytes.sha256 : createHash('sha256').update(bytes).digest('hex')
      const upload = encodeUpload(
        [
          ['content', content],
          ['checksum-algorithm', 'sha256'],
          ['checksum', checksum],
        ],
        name,
        bytes,
      )
      const path = `/nodes/${host}/storage/${storage}/upload`
      const expected = { host, types: ['imgcopy'], id: '', mentions: `/${name}` }
      return start({ method: 'POST', path, upload }, expected, signal)
    },
  }
}
