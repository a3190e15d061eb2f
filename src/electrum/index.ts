// Headers, proof of work and inclusion, as clients of Electrum servers need them.

export { fileCertificateStore } from '#sockets'
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
export { scripthashOf } from '../script/scripthash.ts'
export { createElectrumClient, type ElectrumCallOptions, type ElectrumClient } from './client.ts'
export type { ConnectedServer } from './connected-server.ts'
export type {
  ElectrumCoin,
  ElectrumHeaders,
  ElectrumHistoryEntry,
  ElectrumMerkle,
  ElectrumMethod,
  ElectrumPlace,
  ElectrumResults,
  ElectrumTip,
  ServerFeatures,
} from './methods.ts'
export type { ConnectionEvent, ElectrumOptions } from './options.ts'
export type {
  CertificateStore,
  ServerTrust,
  TlsOptions,
  WebSocketClass,
  WebSocketLike,
} from './stream.ts'
