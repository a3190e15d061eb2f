'use client'

import { parseCase, verifyCase } from 'antara-tx'
import { useState } from 'react'
import vectors from '../../vectors.mjs'

/** Verifies while it is drawn: on the server first, and again in the browser, which has to agree. */
export default function Page() {
  const [name, choose] = useState('transfer')
  const { ok } = verifyCase(parseCase(vectors.cases[name]))
  return (
    <button id="told" type="button" onClick={() => choose('transfer-stolen-change')}>
      {name} {ok ? 'AGREES' : 'REJECTED'}
    </button>
  )
}
