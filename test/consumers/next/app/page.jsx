'use client'

import * as library from 'antara-tx'
import { useEffect, useState } from 'react'
import { answersOf } from '../answers.mjs'
import vectors from '../vectors.mjs'

export default function Page() {
  const [told, tell] = useState('')
  useEffect(() => {
    answersOf(library, vectors).then((answers) => tell(JSON.stringify(answers)))
  }, [])
  return <pre id="told">{told}</pre>
}
