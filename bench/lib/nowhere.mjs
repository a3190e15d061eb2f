import { encodeTransaction } from '../../dist/index.js'

/**
 * Returns a transaction whose outputs anyone may give as evidence: what it spends does not exist.
 *
 * @param {{ value: bigint, script: string }[]} outputs
 * @param {number} [lockTime] makes it another transaction
 */
export const fromNowhere = (outputs, lockTime = 0) =>
  encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '00', sequence: 0xffffffff }],
    outputs,
    lockTime,
    expiryHeight: 0,
  })
