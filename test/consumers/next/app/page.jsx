'use client'

import * as library from 'antara-tx'
import { useEffect, useState } from 'react'
import { answersOf } from '../answers.mjs'
import vectors from '../vectors.mjs'

export default function Page() {
  const [answers, setAnswers] = useState('')
  useEffect(() => {
    answersOf(library, vectors).then((found) => setAnswers(JSON.stringify(found)))
  }, [])
  return <pre id="told">{answers}</pre>
}
