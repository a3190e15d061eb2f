/**
 * Resolves at the first interrupt or termination signal; the second one ends the process at once.
 */
export function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.removeListener(signal, end)
      resolve()
    }
    for (const signal of signals) process.on(signal, end)
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const
