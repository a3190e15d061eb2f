// Judges cases until it is stopped. Start as many as there are cores, on as many machines as there are.
//
//   node worker.mjs

// In a project of your own: from 'antara-tx'.
import { isAntaraError, parseCase, reportToJson, verifyCase } from '../../dist/index.js'
import { consumer, deliveriesMax, isKnown, open } from './streams.mjs'

const { connection, stream } = await open()
const cases = await stream.consumers.get('CASES', consumer)
/** How many are here and not answered: what has to be judged again when this worker is killed. */
const messages = await cases.consume({ max_messages: 200 })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => messages.stop())

const answering = new Set()
for await (const message of messages) {
  const answered = answer(message).finally(() => answering.delete(answered))
  answering.add(answered)
}
await Promise.all(answering)
await connection.drain()

/** A case is done when its report is stored, and no sooner. */
async function answer(message) {
  const text = message.string()
  // The publisher has named it.
  const key = message.subject.slice('cases.'.length)
  const { subject, body } = judged(message, text)
  try {
    // Stored only if nothing is there under that subject: twice judged, once answered.
    await stream.publish(`${subject}.${key}`, JSON.stringify(body), {
      expect: { lastSubjectSequence: 0 },
    })
  } catch (error) {
    // What was not stored is delivered again.
    if (!isKnown(error)) return
  }
  message.ack()
}

function judged(message, text) {
  if (message.info.deliveryCount > deliveriesMax) {
    return { subject: 'dead', body: { reason: 'delivered too often', case: text } }
  }
  try {
    return { subject: 'reports', body: reportToJson(verifyCase(parseCase(text))) }
  } catch (error) {
    if (!isAntaraError(error)) throw error
    const { code, message: words } = error
    return {
      subject: 'dead',
      body: { reason: 'malformed', error: { code, message: words }, case: text },
    }
  }
}
