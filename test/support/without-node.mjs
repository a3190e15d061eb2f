// Prints the answers of the library without Node's globals, as in a browser. The first argument is
// the entry, and standard input has the vectors. Tests start it with `--conditions module`, as
// bundlers resolve the package.

import { answersOf } from '../consumers/answers.mjs'

const vectors = JSON.parse(await new Response(process.stdin).text())
const entry = process.argv[2]
const { log } = console
delete globalThis.Buffer
delete globalThis.process
const answers = await answersOf(await import(entry), vectors)
log(JSON.stringify(answers))
