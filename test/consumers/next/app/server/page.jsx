import { parseCase, verifyCase } from 'antara-tx'
import vectors from '../../vectors.mjs'

export default function Page() {
  const { ok } = verifyCase(parseCase(vectors.cases.transfer))
  return <p id="told">{ok ? 'AGREES' : 'REJECTED'}</p>
}
