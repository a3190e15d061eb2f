/** The key to which a module's own outputs belong, as the source publishes it. */
export interface ModuleKey {
  readonly publicKey: string
  /** Published with the public key, so that anyone can sign with it, as intended. */
  readonly privateKey: string
  /** The address of outputs that komodod's chains pay to the key with the module's eval code. */
  readonly conditionAddress?: string
  /** The address in the source, if it differs. */
  readonly publishedConditionAddress?: string
  /** The same address on tokeld's chains; for TOKENSV2 and ASSETSV2 that of the form `M`. */
  readonly tokelConditionAddress?: string
  /** The address of outputs that pay the key without a condition. */
  readonly keyAddress?: string
  /** The error in the source's data. */
  readonly defect?: string
}

/** A module of a daemon, which decides whether an eval is fulfilled. */
export interface ChainModule {
  /** The byte that identifies it in evals and payloads. */
  readonly evalCode: number
  readonly name: string
  /** The daemon that has the module; tokeld also has all of komodod's. */
  readonly daemon: 'komodo' | 'tokel'
  readonly key?: ModuleKey
}

/**
 * All modules, in the order of their eval codes. Codes 0x10 to 0x7f belong to libraries that a
 * chain loads (-ac_cclib); the private key of each further one is the SHA-256 of the private key
 * before.
 *
 * Three entries of the sources are inconsistent; `defect` describes how.
 *
 * @see komodo src/cc/eval.h, FOREACH_EVAL; src/cc/CCcustom.cpp, CCinit; tokel the same
 */
export const chainModules: readonly ChainModule[] = frozen([
  {
    evalCode: 0x10,
    name: 'cclib',
    daemon: 'komodo',
    key: {
      publicKey: '032447d97655da079729dc024c61088ea415b22f4c15d4810ddaf2069ac6468d2f',
      privateKey: '57cf49717db4151b4f98c5458d26524b7be9bd55d820d6c4820ff5ec6c1ca0c0',
      conditionAddress: 'RKXumMKuBoBsfLqj7tcFcocvJUqMxohEqY',
      keyAddress: 'RVVeUg43rNcq3mZFnvZ8yqagyzqFgUnq4u',
    },
  },
  {
    evalCode: 0xe1,
    name: 'IMPORTPAYOUT',
    daemon: 'komodo',
  },
  {
    evalCode: 0xe2,
    name: 'IMPORTCOIN',
    daemon: 'komodo',
  },
  {
    evalCode: 0xe3,
    name: 'ASSETS',
    daemon: 'komodo',
    key: {
      publicKey: '02adf84e0e075cf90868bd4e3d34a03420e034719649c41f371fc70d8e33aa2702',
      privateKey: '9b1766e58266acb6ba438374f763113bf0f3506fd96b6785f97af0544db13077',
      conditionAddress: 'RGKRjeTBw4LYFotSDLT6RWzMHbhXri6BG6',
      tokelConditionAddress: 'CPW8EAuyDHWW5wRfRuntuWHB9TTMCYsqfw',
      keyAddress: 'RFYE2yL3KknWdHK6uNhvWacYsCUtwzjY3u',
    },
  },
  {
    evalCode: 0xe4,
    name: 'FAUCET',
    daemon: 'komodo',
    key: {
      publicKey: '03682b255c40d0cde8faee381a1a50bbb89980ff24539cb8518e294d3a63cefe12',
      privateKey: 'd44ff231717d28024bc7dd71a039c4be1afeebc246da76f807533d96b4caa0e9',
      conditionAddress: 'R9zHrofhRbub7ER77B7NrVch3A63R39GuC',
      keyAddress: 'RKQV4oYs4rvxAWx1J43VnT73rSTVtUeckk',
    },
  },
  {
    evalCode: 0xe5,
    name: 'REWARDS',
    daemon: 'komodo',
    key: {
      publicKey: '03da60379d924c2c30ac290d2a86c2ead128cb7bd571f69211cb95356e2dcc5eb9',
      privateKey: '82f5d2e7d6993377fb800097233d1e6f61a9b52e5eb4966fbced6be2bb7b4bb3',
      conditionAddress: 'RTsRBYL1HSvMoE3qtBJkyiswdVaWkm8YTK',
      keyAddress: 'RMgye9jeczNjQx9Uzq8no8pTLiCSwuHwkz',
    },
  },
  {
    evalCode: 0xe6,
    name: 'DICE',
    daemon: 'komodo',
    key: {
      publicKey: '039d966927cfdadab3ee6c56da63c21f17ea753dde4b3dfd41487103e24b27e94e',
      privateKey: '0ee8f5b43d25cc35d1f12f045f0126b8d1ac3a5aeae025a28f2a8e0ef934fa77',
      conditionAddress: 'REabWB7KjFN5C3LFMZ5odExHPenYzHLtVw',
      keyAddress: 'RLEe8f7Eg3TDuXii9BmNiiiaVGraHUt25c',
    },
  },
  {
    evalCode: 0xe7,
    name: 'FSM',
    daemon: 'komodo',
    key: {
      publicKey: '039b52d294b413b07f3643c1a28c5467901a76562d8b39a785910ae0a0f3043810',
      privateKey: '11e1ea3edb36f0a8c634e121b802b94b12378fa0862350b25fe4e7360fdaaefc',
      conditionAddress: 'RX3ByG6V5r6c8cRMENWt7mUjxvZEqngPHd',
      publishedConditionAddress: 'RUKTbLBeKgHkm3Ss4hKZP3ikuLW1xx7B2x',
      keyAddress: 'RWSHRbxnJYLvDjpcQ2i8MekgP6h2ctTKaj',
      defect: 'the address in the source is not that of its public key',
    },
  },
  {
    evalCode: 0xe8,
    name: 'AUCTION',
    daemon: 'komodo',
    key: {
      publicKey: '037eefe050c14cb60ae65d5b2f69eaa1c9006826d729bc0957bdc3024e3ca1dbe6',
      privateKey: '8c1bb78c02a39d212859f5eadaec0d11cd3847ac0b6f19c02436bf1c0a0631fb',
      conditionAddress: 'RL4YPX7JYG3FnvoPqWF2pn3nQknH5NWEwx',
      keyAddress: 'RFtVDNmdTZBTNZdmFRbfBgJ6LitgTghikL',
    },
  },
  {
    evalCode: 0xe9,
    name: 'LOTTO',
    daemon: 'komodo',
    key: {
      publicKey: '03f72d2c4db440df1e706502b09ca5fec73ffe954ea1883e4049e98da68690d98f',
      privateKey: 'b4acc2d96734d758804e2555c0506684bba2e7c03917b4c507b73fca07b09aeb',
      conditionAddress: 'RUCMvVh1af6NvAtu7BXD2Q5cyVsXxbyWpa',
      publishedConditionAddress: 'RNXZxgyWSAE6XS3qGnTaf5dVNCxnYzhPrg',
      keyAddress: 'RLW6hhRqBZZMBndnyPv29Yg3krh6iBYCyg',
      defect: 'the address in the source is not that of its public key',
    },
  },
  {
    evalCode: 0xea,
    name: 'HEIR',
    daemon: 'komodo',
    key: {
      publicKey: '03c91bef3d7cc59c3a89286833a3446b29e52a5e773f738a1ad2b09785e5f4179e',
      privateKey: '9da1f8f7ba0a9136899a86306320d7dfaa35e399322b63c0669c93c45e9db9ce',
      conditionAddress: 'RDVHcSekmXgeYBqRupNTmqo3Rn8QRXNduy',
      keyAddress: 'RTPwUjKYECcGn6Y4KYChLhgaht1RSU4jwf',
    },
  },
  {
    evalCode: 0xeb,
    name: 'CHANNELS',
    daemon: 'komodo',
    key: {
      publicKey: '035debdb19b1c98c615259339500511d6216a3ffbeb28ff5655a7ef5790a12ab0b',
      privateKey: 'ec9136152dd4487322364f6a345c610f01b479e81c2fa11d4a0a2116ea828460',
      conditionAddress: 'RQy3rwX8sP9oDm3c39vGKA6H315cgtPLfr',
      keyAddress: 'RQUuT8zmkvDfXqECH4m3VD3SsHZAfnoh1v',
    },
  },
  {
    evalCode: 0xec,
    name: 'ORACLES',
    daemon: 'komodo',
    key: {
      publicKey: '038c1d42db6a45a57eccb8981b078fb7857b9b496293fe299d2b8d120ac5b5691a',
      privateKey: 'f74b5ba27a5e9cda89b1cbb9e69c2c708537dd007a67ff7c621be2fb048f85bf',
      conditionAddress: 'REt2C4ZMnX8YYX1DRpffNA4hECZTFm39e3',
      keyAddress: 'RHkFKzn1csxA3fWzAsxsLWohoCgBbirXb5',
      defect: 'the private key in the source is that of GATEWAYS',
    },
  },
  {
    evalCode: 0xed,
    name: 'PRICES',
    daemon: 'tokel',
    key: {
      publicKey: '039894cb054c0032e99e65e715b03799607aa91212a16648d391b6fa2cc52ed0cf',
      privateKey: '0a3be75dce06edb7c0b1bee87b5ad499b88ddeacb27e7a529615d2a0c6b98961',
    },
  },
  {
    evalCode: 0xee,
    name: 'PEGS',
    daemon: 'tokel',
    key: {
      publicKey: '03c75c1de29a35e41606363b430c08be1c2dd93cf7a468229a082cc79c7b77eece',
      privateKey: '52564c7887f7a239b090b7b862800f83189df4f4bd2809a99b8554160f3ffb65',
    },
  },
  {
    evalCode: 0xef,
    name: 'MARMARA',
    daemon: 'tokel',
    key: {
      publicKey: '03afc5be570d0ff419425cfcc580cc762ab82baad88c148f5b028d7db7bfeee61d',
      privateKey: '7c0b549b65d48957df05fea26241a9090f2a6b112cbebd06318dc0b996763f24',
    },
  },
  {
    evalCode: 0xf0,
    name: 'PAYMENTS',
    daemon: 'komodo',
    key: {
      publicKey: '0358f1764f82c63abc7c7455555fd1d3184905e30e819e97667e247e5792b46856',
      privateKey: '03c973c2b8303dbdc8d9bf0249d9656145ed9e9351ab8b2ee7c740f1c4d2c05b',
      conditionAddress: 'REpyKi7avsVduqZ3eimncK4uKqSArLTGGK',
      keyAddress: 'RHRX8RTMAh2STWe9DHqsvJbzS7ty6aZy3d',
    },
  },
  {
    evalCode: 0xf1,
    name: 'GATEWAYS',
    daemon: 'komodo',
    key: {
      publicKey: '03ea9c062b9652d8eff34879b504eda0717895d27597aaeb60347d65eed96ccb40',
      privateKey: 'f74b5ba27a5e9cda89b1cbb9e69c2c708537dd007a67ff7c621be2fb048f85bf',
      conditionAddress: 'RKWpoK6vTRtq5b9qrRBodLkCzeURHeEk33',
      keyAddress: 'RGJKV97ZN1wBfunuMt1tebiiHENNEq73Yh',
    },
  },
  {
    evalCode: 0xf2,
    name: 'TOKENS',
    daemon: 'komodo',
    key: {
      publicKey: '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95',
      privateKey: '1d0d0dce2dd2e19df5b626d5ada0f00add7a727d1735b5e32c6ca9a203164bcf',
      conditionAddress: 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2',
      tokelConditionAddress: 'CHYcyCGkkeMPnJAis2h6SmLWaAK1XyviSF',
      keyAddress: 'RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad',
    },
  },
  {
    evalCode: 0xf3,
    name: 'IMPORTGATEWAY',
    daemon: 'komodo',
    key: {
      publicKey: '0397231cfe04ea32d5fafb2206773ec9fba6e15c5a4e86064468bca195f7542714',
      privateKey: '65ef27eb3db0b4ae0fbc77dbf840489052209e453b49d897608c274c5946e1df',
      conditionAddress: 'RXJT6CRAXHFuQ2UjqdxMj7EfrayF6UJpzZ',
      keyAddress: 'RNFRho63Ddz1Rh2eGPETykrU4fA8r67S4Y',
    },
  },
  {
    evalCode: 0xf4,
    name: 'KOGS',
    daemon: 'tokel',
  },
  {
    evalCode: 0xf5,
    name: 'TOKENSV2',
    daemon: 'tokel',
    key: {
      publicKey: '032fd27f72591b02f13a7f9701246eb0296b2be7cfdad32c520e594844ec3d4801',
      privateKey: 'b5ba927f53454ff8a4ad0d38304fd097d1b7941b1f52bdaea2e749062ed22da5',
      tokelConditionAddress: 'CZnkvW5VyQQUEWZVSVnLv3PBn74gj6p3he',
      keyAddress: 'RDVU97zvJamGmVBSUyTm7RcYZtxjriNGkj',
    },
  },
  {
    evalCode: 0xf6,
    name: 'ASSETSV2',
    daemon: 'tokel',
    key: {
      publicKey: '0345d2e7ab018619da6ed58ccc0138c5f58a7b754bd8e9a1a9d2b811c5fe72d467',
      privateKey: '46583b18ee1663516f606e09df9d27c8a7a272a5d46a9bcbd54f7d1cb12e6321',
      tokelConditionAddress: 'CeKqrjLjD5WgBETbSeLaJJc1NDKHTdLwUf',
    },
  },
  {
    evalCode: 0xf7,
    name: 'TOKELDATA',
    daemon: 'tokel',
  },
])

function frozen(modules: readonly ChainModule[]): readonly ChainModule[] {
  for (const module of modules) {
    Object.freeze(module.key)
    Object.freeze(module)
  }
  return Object.freeze(modules)
}

/**
 * Returns the module with an eval code.
 *
 * @param evalCode - the byte, 0xf2 for tokens
 * @returns the row of `chainModules`; `undefined` if no module has the code
 * @see komodo src/cc/eval.h, FOREACH_EVAL; tokel the same
 * @example
 * moduleOfEvalCode(0xf2)?.name // 'TOKENS'
 */
export function moduleOfEvalCode(evalCode: number): ChainModule | undefined {
  return chainModules.find((module) => module.evalCode === evalCode)
}

// Eval codes of the modules whose rules and payloads this library knows.
export const assetsEvalCode = 0xe3
export const tokensEvalCode = 0xf2
export const tokensV2EvalCode = 0xf5
export const assetsV2EvalCode = 0xf6
export const tokelDataEvalCode = 0xf7

export const assetsGlobalPubkey: string = keyOf(assetsEvalCode)
export const tokensGlobalPubkey: string = keyOf(tokensEvalCode)
export const tokensV2GlobalPubkey: string = keyOf(tokensV2EvalCode)
export const assetsV2GlobalPubkey: string = keyOf(assetsV2EvalCode)

function keyOf(evalCode: number): string {
  return moduleOfEvalCode(evalCode)!.key!.publicKey
}

/**
 * Names of modules by their public keys. The private keys are published too, so anyone can take
 * coins of these keys.
 */
export const moduleNames: ReadonlyMap<string, string> = new Map(
  chainModules.flatMap(({ name, key }) => (key === undefined ? [] : [[key.publicKey, name]])),
)

/**
 * The first bytes of token data with which every chain allows transfers, by layout. A recorded
 * komodod refused all others. Either no module validates their eval code, or the module requires
 * its own payload. tokeld asks the module that the byte names, and no module for these bytes.
 *
 * @see tokel src/cc/CCtokens.cpp, CheckTokensvout
 */
export const movableDataCodes: Readonly<
  Record<'komodo-v1' | 'tokel-v1' | 'tokens-v2', readonly number[]>
> = {
  'komodo-v1': [0xf1, 0xf3],
  'tokel-v1': [0x00, tokensEvalCode, tokelDataEvalCode],
  'tokens-v2': [0x00, tokensV2EvalCode, tokelDataEvalCode],
}

/**
 * Keys for which nobody can sign: outputs to them are burned.
 *
 * The first is not a point of the curve. Tokel's second key is one, and counts as burned only since
 * the upgrade that introduced the form `N`.
 *
 * @see komodo src/cc/CCinclude.h, CC_BURNPUBKEY; tokel src/cc/CCinclude.h, CC_BURNPUBKEY_FIXED
 */
export const burnPublicKeys: Readonly<Record<'komodo' | 'tokel', string>> = Object.freeze({
  komodo: '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  tokel: '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa',
})

/** The keys that burn tokens, by `Network.conditions`: tokeld accepts both, komodod one. */
export const burnKeysOf: { readonly [conditions: string]: readonly string[] } = {
  komodo: [burnPublicKeys.komodo],
  tokel: [burnPublicKeys.komodo, burnPublicKeys.tokel],
}
