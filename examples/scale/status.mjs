// Says how many cases wait, are answered or are dead.
//
//   node status.mjs

import { consumer, open } from './streams.mjs'

const { connection, manager } = await open()
const [reports, dead] = await Promise.all(
  ['REPORTS', 'DEAD'].map(async (name) => (await manager.streams.info(name)).state.messages),
)
const { num_pending: waiting, num_ack_pending: inProgress } = await manager.consumers.info(
  'CASES',
  consumer,
)
console.log(JSON.stringify({ waiting, inProgress, reports, dead }))
await connection.close()
