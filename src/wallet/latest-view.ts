// The wallet's looks at the chain. Calls that come at once share one look.

import type { ChainOptions } from '../chain-source/source.ts'
import { untilAborted } from './aborting.ts'
import type { KeyRing } from './key-ring.ts'
import { nextView, type View, type ViewContext } from './view.ts'

export interface LatestView {
  /** Returns the last look that was taken; `undefined` before the first one. */
  last(): View | undefined
  /** Looks at the chain again. Each call ends with its own signal. */
  sync(options?: ChainOptions): Promise<View>
}

/** A look at the chain that is under way. */
interface Look extends ChainOptions {
  readonly looking: Promise<View>
}

export function latestView(ring: KeyRing, context: ViewContext): LatestView {
  let view: View | undefined
  let current: Look | undefined

  function look({ signal }: ChainOptions): Look {
    const looked = ring.discover({ signal }).then(() => nextView(context, view, { signal }))
    // A source that ignores the signal does not hold up the next look.
    const looking = untilAborted(looked, signal).then((next) => {
      view = next
      return next
    })
    const mine: Look = { looking, signal }
    current = mine
    const over = (): void => {
      if (current === mine) current = undefined
    }
    looking.then(over, over)
    return mine
  }

  return {
    last: () => view,
    async sync(given = {}) {
      for (;;) {
        const joined = current ?? look(given)
        try {
          return await untilAborted(joined.looking, given.signal)
        } catch (error) {
          const isEndedByOther = joined.signal !== given.signal && joined.signal?.aborted === true
          if (given.signal?.aborted === true || !isEndedByOther) throw error
        }
      }
    },
  }
}
