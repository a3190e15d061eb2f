import { defineTask } from '../lib/define.mjs'
import { signedMessages } from '../lib/messages.mjs'
import { randomSource } from '../lib/random.mjs'

export const task = defineTask({
  name: 'verify-message',
  question:
    'Whether the key of an address signed a text of 100 characters: the signature in Base64, the ' +
    'address in text. The key is recovered from the signature, and its hash compared. All refuse ' +
    'another text and another address, before they are timed.',
  unit: 'message',
  cases: () => {
    const { messages, refused } = signedMessages(randomSource('verify-message'), 16)
    const description = '16 messages, each of a key of its own'
    return [{ name: 'text-100', description, items: messages, alsoProved: refused }]
  },
  reference: ({ isSigned }) => isSigned,
})
