// How the header of a new block is finished: with work (proof-of-work.ts), or without.

import { type Header, noSolution } from './block.ts'

export type Seal = (header: Omit<Header, 'solution'>) => Header

/** Costs nothing and proves nothing. */
export const unsolved: Seal = (header) => ({ ...header, solution: noSolution })
