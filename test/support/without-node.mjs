// Answers as a browser would, with nothing of Node left: the entry is the first argument, the vectors
// come from standard input. Started with `--conditions module`, which is what bundlers ask for.

import { answersOf } from '../consumers/answers.mjs'

const vectors = JSON.parse(await new Response(process.stdin).text())
const entry = process.argv[2]
const { log } = console
delete globalThis.Buffer
delete globalThis.process
const answers = await answersOf(await import(entry), vectors)
log(JSON.stringify(answers))
