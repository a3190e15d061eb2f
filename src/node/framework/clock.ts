// The time of a scenario: real, moved by hand, or moved by each look at a task.

/** With `look`, each status call moves a task to its next event. */
export type ClockKind = 'look' | 'manual' | 'real'

export interface VirtualClock {
  readonly kind: ClockKind
  /** Milliseconds since the start. */
  now(): number
  /** Runs `action` after `ms`; answers how to call it off. */
  after(ms: number, action: () => void): () => void
  /** Lets time pass, each action at its moment. Nothing on a real clock, which passes by itself. */
  advance(ms: number): void
  /** A wait of a call that is being answered: looking clocks pass it at once. */
  sleep(ms: number): Promise<void>
  /** Ends what is waited for. */
  stop(): void
}

export function createClock(kind: ClockKind): VirtualClock {
  return kind === 'real' ? realClock() : virtualClock(kind)
}

function realClock(): VirtualClock {
  const startedMs = performance.now()
  const timers = new Set<NodeJS.Timeout>()
  const after: VirtualClock['after'] = (ms, action) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      action()
    }, ms)
    timers.add(timer)
    return () => {
      clearTimeout(timer)
      timers.delete(timer)
    }
  }
  return {
    kind: 'real',
    now: () => performance.now() - startedMs,
    after,
    advance: () => undefined,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

interface Due {
  readonly at: number
  readonly action: () => void
}

function virtualClock(kind: 'look' | 'manual'): VirtualClock {
  let nowMs = 0
  const waiting: Due[] = []
  const after: VirtualClock['after'] = (ms, action) => {
    const due: Due = { at: nowMs + ms, action }
    const later = waiting.findIndex(({ at }) => at > due.at)
    waiting.splice(later < 0 ? waiting.length : later, 0, due)
    return () => {
      const index = waiting.indexOf(due)
      if (index >= 0) waiting.splice(index, 1)
    }
  }
  const advance = (ms: number): void => {
    const until = nowMs + ms
    for (let due = waiting[0]; due !== undefined && due.at <= until; due = waiting[0]) {
      waiting.shift()
      nowMs = due.at
      due.action()
    }
    nowMs = until
  }
  return {
    kind,
    now: () => nowMs,
    after,
    advance,
    sleep: async (ms) => {
      if (kind === 'look') advance(ms)
      else await new Promise<void>((resolve) => after(ms, resolve))
    },
    stop: () => {
      waiting.length = 0
    },
  }
}
