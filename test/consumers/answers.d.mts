import type { Vectors } from './vectors.ts'

/** The answer, or the error, by the name of the question. */
export function answersOf(
  library: typeof import('../../src/index.ts'),
  vectors: Vectors,
): Promise<Record<string, string>>
