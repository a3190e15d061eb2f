import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'

import { openEventStream } from '../../../src/rpc/framework/events.ts'

test('an event whose bytes are of another realm wakes its task, as under jsdom', async () => {
  const line = 'data: {"_type":"TASK:7","message":{}}\n'
  const chunk = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(line)] })
  let send: (read: object) => void = () => {}
  const reader = {
    read: () => new Promise<object>((done) => (send = done)),
    cancel: () => Promise.resolve(),
  }
  const response = { status: 200, body: { getReader: () => reader } }
  const fetch = () => Promise.resolve(response as never)
  const stream = await openEventStream('http://127.0.0.1:7783', fetch, 1)
  const wake = vi.fn()
  stream.listen(7, wake)
  send({ done: false, value: chunk })
  await vi.waitFor(() => expect(wake).toHaveBeenCalledOnce())
  stream.close()
})
