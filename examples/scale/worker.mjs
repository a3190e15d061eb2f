// Verifies cases until it is stopped. Start one for each core, on as many machines as you like.
//
//   node worker.mjs

import { answerOf } from './answer.mjs'
import { consumer, isKnown, open } from './streams.mjs'

const { connection, stream } = await open()
const cases = await stream.consumers.get('CASES', consumer)
/** At most 200 cases wait here; they are verified again if this worker is killed. */
const messages = await cases.consume({ max_messages: 200 })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => messages.stop())

const answering = new Set()
for await (const message of messages) {
  const answered = answer(message).finally(() => answering.delete(answered))
  answering.add(answered)
}
await Promise.all(answering)
await connection.drain()

/** A case is done when its answer is stored, and no sooner. */
async function answer(message) {
  const { subject, body } = answerOf({
    subject: message.subject,
    text: message.string(),
    deliveries: message.info.deliveryCount,
  })
  try {
    // Stored only if nothing is there under that subject: twice verified, once answered.
    await stream.publish(subject, JSON.stringify(body), { expect: { lastSubjectSequence: 0 } })
  } catch (error) {
    // A message that was not stored is delivered again.
    if (!isKnown(error)) return
  }
  message.ack()
}
