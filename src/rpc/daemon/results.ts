// Results keep the wire's member names. Amounts are satoshis or token units, whatever the wire
// prints; bytes and ids are lower-case hex; unknown members stay unchanged.

export * from './address-results.ts'
export * from './block-results.ts'
export * from './coin-results.ts'
export * from './control-results.ts'
export * from './mining-results.ts'
export * from './module-addresses.ts'
export * from './network-results.ts'
export * from './node-results.ts'
export * from './peer-results.ts'
export * from './raw-results.ts'
export * from './script-results.ts'
export * from './token-results.ts'
export * from './transaction-results.ts'
export * from './wallet-results.ts'
