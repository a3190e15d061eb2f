// Prints what is in a stream, one message a line, in the order in which it was stored.
//
//   node results.mjs REPORTS     or DEAD

import { open } from './streams.mjs'

const [name = 'REPORTS'] = process.argv.slice(2)
const { connection, manager, stream } = await open()
const { state } = await manager.streams.info(name)
if (state.messages > 0) {
  const reader = await stream.consumers.get(name)
  const messages = await reader.consume({ max_messages: 1000 })
  for await (const message of messages) {
    process.stdout.write(`${message.string()}\n`)
    if (message.info.pending === 0) break
  }
}
await connection.close()
