import { startServerProcess } from './server-process.mjs'

export { credentials, roundedAnswer } from './rpc-answer.mjs'

export const port = await startServerProcess('rpc-server.mjs')
