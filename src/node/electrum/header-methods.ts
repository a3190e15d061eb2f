// Methods for the headers of blocks.

import { merkleBranchOf } from '../../block/merkle.ts'
import type { Engine } from '../engine.ts'
import { headerHex } from '../state/block.ts'
import { blockAt } from '../state/view.ts'
import type { Methods } from './method.ts'
import { grouped, refused, wholeNumber } from './values.ts'

/** Headers that one answer has at most. */
const headersMax = 2016

export const headerMethods: Methods = {
  'blockchain.headers.subscribe': {
    required: [],
    answer({ engine, session }) {
      session.hasHeaders = true
      return tipOf(engine)
    },
  },
  'blockchain.block.header': {
    required: ['height'],
    optional: ['cp_height'],
    answer({ engine }, [given, checkpoint]) {
      const height = wholeNumber(given)
      const until = checkpoint === undefined ? 0 : wholeNumber(checkpoint)
      const header = headerAt(engine, height)
      return until === 0 ? header : { header, ...headerProof(engine, until, height) }
    },
  },
  'blockchain.block.headers': {
    required: ['start_height', 'count'],
    optional: ['cp_height'],
    answer({ engine, session }, [given, wanted, checkpoint]) {
      const start = wholeNumber(given)
      const most = Math.min(wholeNumber(wanted), headersMax)
      const until = checkpoint === undefined ? 0 : wholeNumber(checkpoint)
      const end = Math.min(start + most, engine.state.chain.tip.height + 1)
      const headers: string[] = []
      for (let height = start; height < end; height += 1) headers.push(headerAt(engine, height))
      const count = headers.length
      const proof = count > 0 && until > 0 ? headerProof(engine, until, start + count - 1) : {}
      const list = session.protocol === '1.6' ? { headers } : { hex: headers.join('') }
      return { ...list, count, max: headersMax, ...proof }
    },
  },
}

/** The last block, as subscribers get it. */
export function tipOf({ state }: Engine): { hex: string; height: number } {
  const { tip } = state.chain
  return { hex: headerHex(tip), height: tip.height }
}

function headerAt(engine: Engine, height: number): string {
  const block = blockAt(engine, height)
  if (block === undefined) throw refused(`height ${grouped(height)} out of range`)
  return headerHex(block)
}

/** Proves a header by a tree over the hashes of all headers up to a checkpoint. */
function headerProof(engine: Engine, checkpoint: number, height: number): object {
  const last = engine.state.chain.tip.height
  if (checkpoint < height || checkpoint > last) {
    throw refused(
      `require header height ${grouped(height)} <= cp_height ${grouped(checkpoint)} <= ` +
        `chain height ${grouped(last)}`,
    )
  }
  const hashes = Array.from({ length: checkpoint + 1 }, (_, at) => blockAt(engine, at)!.hash)
  return merkleBranchOf(hashes, height)
}
