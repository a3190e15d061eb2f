import { parseCase, verifyTokenTransferAsync } from 'antara-tx'
import vectors from './vectors.mjs'

let starts = 0
globalThis.Worker = class extends Worker {
  constructor(...given) {
    super(...given)
    starts += 1
  }
}
const { hex, intent, evidence } = parseCase(vectors.cases.transfer)
const asked = Array.from({ length: 200 }, () => verifyTokenTransferAsync(hex, intent, evidence))
Promise.all(asked).then((reports) => {
  const body = JSON.stringify({ agree: reports.filter(({ ok }) => ok).length, starts })
  return fetch('/report', { method: 'POST', body })
})
