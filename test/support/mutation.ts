/**
 * Whether the tests judge mutants of the code (docs/testing.md). What tries every bit takes longer
 * than all other tests together, and they should notice whatever it does.
 */
export const isMutationRun: boolean = process.env.ANTARA_MUTATION_TESTS !== undefined
