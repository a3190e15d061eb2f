import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Two processes are what the smallest machine has.
    maxWorkers: 2,
  },
})
