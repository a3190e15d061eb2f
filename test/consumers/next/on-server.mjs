// A server's answers, and the binaries that it has loaded for them.

import * as library from 'antara-tx'
import { answersOf } from './answers.mjs'
import vectors from './vectors.mjs'

export async function onServer() {
  const answers = await answersOf(library, vectors)
  process.report.excludeNetwork = true
  const { sharedObjects } = process.report.getReport()
  return { answers, addons: sharedObjects.filter((path) => path.endsWith('antara_tx.node')) }
}
