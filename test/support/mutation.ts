/**
 * True if the tests run on mutants of the code (docs/testing.md). Tests that try every bit take
 * longer than all other tests together, and the other tests should notice the same mutants.
 */
export const isMutationRun: boolean = process.env.ANTARA_MUTATION_TESTS !== undefined
