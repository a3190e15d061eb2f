import { definePeer } from '../../lib/define.mjs'
import { buildTokenTransfer, signCase } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'buildTokenTransfer and signCase, which verifies before and after',
  run: ({ request, key }) => signCase(buildTokenTransfer(request), [key]),
  answer: ({ ok }) => ok,
})
