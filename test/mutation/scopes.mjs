// The files that `npm run mutate` changes, and the tests that should notice. Tests that read the
// sources, start programs or take long to say what others say as well are left out.

const verifier = [
  'test/unit/verification/verify.test.ts',
  'test/unit/verification/verify-recorded.test.ts',
  'test/unit/verification/verify-resigned.test.ts',
  'test/unit/verification/verify-tokens-v2.test.ts',
  'test/unit/verification/attack-cases.test.ts',
  'test/unit/transaction/arguments.test.ts',
]

export const scopes = {
  verification: {
    files: ['src/verification', 'src/request'],
    ending: /\.ts$/,
    tests: [
      ...verifier,
      'test/unit/verification/{fee,payment-fee}.test.ts',
      'test/unit/verification/attack-tokel.test.ts',
      'test/unit/builders/token-build.test.ts',
      'test/unit/*/verif*.test.ts',
      'test/unit/*/case*.test.ts',
      'test/unit/*/intent*.test.ts',
      'test/unit/*/{reward,royalties,order-build,payment-build,operations,slices}.test.ts',
    ],
  },
  token: {
    files: ['src/token', 'src/builders'],
    ending: /\.ts$/,
    tests: [
      ...verifier,
      'test/unit/*/token-*.test.ts',
      'test/unit/*/{verify-orders,verify-order-maker,order-build*,operations,condition-script}.test.ts',
      // src/builders is theirs
      'test/unit/*/{payment-build*,build-*,hd}.test.ts',
    ],
  },
  signing: {
    files: ['src/signing'],
    ending: /\.ts$/,
    tests: [
      'test/unit/*/{sign*,der,key,message}.test.ts',
      'test/unit/*/verify-{inputs,signature,ed25519}.test.ts',
      'test/unit/signing/wif.test.ts',
      'test/unit/transaction/arguments.test.ts',
      'test/unit/script/condition.test.ts',
      // own-scripts.ts is theirs
      'test/unit/*/{verify-payment,payment-build*}.test.ts',
    ],
  },
  script: {
    files: ['src/script'],
    ending: /\.ts$/,
    tests: [
      'test/unit/script/*.test.ts',
      'test/unit/*/{key,hd,wif,sign,sign-limits,sign-named-keys,arguments}.test.ts',
      'test/unit/*/{daemon-json,documented-transactions,malformed}.test.ts',
      'test/unit/*/{payment-build,payment-build-limits,token-roles}.test.ts',
      'test/unit/*/verify-{signed-forms,own-scripts,payment,payment-change,payment-terms}.test.ts',
      'test/property/{address,condition}.test.ts',
    ],
  },
  transaction: {
    files: ['src/transaction'],
    ending: /\.ts$/,
    tests: [
      'test/unit/transaction/*.test.ts',
      'test/unit/*/{slices,cli,reward,verify-limits,verify-ancestry}.test.ts',
      'test/property/transaction.test.ts',
    ],
  },
  consensus: {
    files: ['src/node/consensus'],
    ending: /\.ts$/,
    tests: [
      'test/node/{accept,consensus,attack-families,engine,dev-node,dev-node-limits,orders,built-offline}.test.ts',
      'test/node/{replay,replay-tokeld,signing,tokel-orders,trade}.test.ts',
    ],
  },
  'safe-flow': {
    files: ['src/rpc/safe-flow.ts', 'src/rpc/withdraw-flow.ts', 'src/rpc/safe-flow'],
    ending: /\.ts$/,
    tests: [
      'test/contract/{safe-flow*,withdraw}.test.ts',
      'test/unit/verification/slices.test.ts',
      'test/unit/*/safe-flow*.test.ts',
      'test/unit/builders/payment-keys.test.ts',
      'test/contract/{faults,uncertain,request-snapshot}.test.ts',
      'test/unit/transaction/arguments.test.ts',
    ],
  },
  rpc: {
    files: [
      'src/rpc/calls.ts',
      'src/rpc/errors.ts',
      'src/rpc/failure.ts',
      'src/rpc/history.ts',
      'src/rpc/limits.ts',
      'src/rpc/local-http.ts',
      'src/rpc/redaction.ts',
      'src/rpc/reply-sizes.ts',
      'src/rpc/reply.ts',
      'src/rpc/retry.ts',
      'src/rpc/secret-forms.ts',
      'src/rpc/secret-parameters.ts',
      'src/rpc/transport.ts',
    ],
    ending: /\.ts$/,
    tests: [
      'test/unit/rpc/redaction.test.ts',
      'test/contract/{uncertain,faults,observers,reply-sizes,local-http}.test.ts',
      'test/contract/{secrets,secret-parameters,concurrency}.test.ts',
      'test/property/secret-forms.test.ts',
    ],
  },
  primitives: {
    files: ['src/primitives'],
    ending: /\.ts$/,
    tests: [
      'test/unit/primitives/*.test.ts',
      'test/unit/*/{known-members,case-members,json-size,printable,wif,address-refusals}.test.ts',
      'test/property/{json,json-steps,rpc-amounts}.test.ts',
      'test/contract/request-snapshot.test.ts',
    ],
  },
  audit: {
    files: ['src/audit'],
    ending: /\.ts$/,
    tests: ['test/*/audit/*.test.ts'],
  },
  journal: {
    files: ['src/journal'],
    ending: /\.ts$/,
    tests: [
      'test/*/journal/*.test.ts',
      'test/node/{journal,journal-disk,malleated}.test.ts',
      'test/explore/journal.test.ts',
    ],
  },
  native: {
    files: ['native/core/verify', 'native/core/cc', 'native/core/script'],
    ending: /\.(?:cpp|h)$/,
    // Beside ctest: what crosses the seam, with the recordings of both daemons.
    tests: [
      'test/unit/*/verify-{inputs,signature}.test.ts',
      'test/unit/*/condition*.test.ts',
      'test/unit/signing/sign.test.ts',
      'test/unit/script/scripts.test.ts',
    ],
  },
}

/**
 * The first takes longer than all others together, and they should notice whatever it does. The
 * others count calls through modules of their own, which they do not get when all tests share them.
 */
export const leftOut = [
  'test/unit/verification/verify-bit-flips.test.ts',
  'test/unit/token/token-work.test.ts',
  'test/unit/verification/verify-work.test.ts',
]

const unitTests = (...names) => names.map((name) => `/${name}.test.ts`)

/**
 * The first test that notices ends a mutant's run: those that take little and notice much run
 * first, and those that take long last, each in this order.
 */
export const quick = unitTests(
  'safe-flow',
  'safe-flow-payments-apart',
  'verify-create-intent',
  'verify-transfer-intent',
  'verify-envelope',
  'verify-signers',
  'verify-spends',
  'verify-limits',
  'verify-recorded',
  'verify-terms',
  'verify-resigned',
  'verify',
)
export const slow = [
  ...unitTests(
    'attack-cases',
    'verify-payment',
    'attack-tokel',
    'verify-inputs',
    'token-build',
    'verify-orders',
    'verify-tokel-market',
    'verify-tokel',
  ),
  'test/contract/safe-flow.test.ts',
]
