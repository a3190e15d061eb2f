// Headers, proof of work and inclusion, as clients of Electrum servers need them.

export {
  type ChainRules,
  type Checkpoint,
  komodoRules,
} from '../block/chains.ts'
export {
  type BlockHeader,
  decodeBlockHeader,
  decodeBlockHeaders,
  type EquihashFault,
  type EquihashParameters,
  equihashFault,
  verifyEquihash,
} from '../block/header.ts'
export {
  type HeaderChainReport,
  type HeaderFinding,
  type HeaderFindingCode,
  verifyHeaderChain,
} from '../block/header-chain.ts'
export {
  type InclusionFault,
  type InclusionProof,
  inclusionFault,
  verifyInclusion,
} from '../block/inclusion.ts'
