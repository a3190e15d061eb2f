import * as library from 'antara-tx'
import { answersOf } from './answers.mjs'
import vectors from './vectors.mjs'

answersOf(library, vectors).then((answers) => console.log(JSON.stringify(answers)))
