import { hash160 } from '../engine/hash160.ts'
import { tokensGlobalPubkey } from './token-script.ts'

/** komodo src/cc/CCinclude.h, CC_BURNPUBKEY: no point of the curve, so that nobody can sign for it. */
export const burnPubkey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'

/** tokel src/cc/CCinclude.h, CC_BURNPUBKEY_FIXED: a point whose private key nobody knows. */
export const tokelBurnPubkey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa'

/** komodo src/cc/CCcustom.cpp, AssetsCCpub. */
export const assetsGlobalPubkey =
  '02adf84e0e075cf90868bd4e3d34a03420e034719649c41f371fc70d8e33aa2702'

/** tokel src/cc/CCcustom.cpp, AssetsCCpubV2. */
export const assetsV2GlobalPubkey =
  '0345d2e7ab018619da6ed58ccc0138c5f58a7b754bd8e9a1a9d2b811c5fe72d467'

/** tokel src/cc/CCcustom.cpp, TokensCCpubV2. */
export const tokensV2GlobalPubkey =
  '032fd27f72591b02f13a7f9701246eb0296b2be7cfdad32c520e594844ec3d4801'

/**
 * Keys of the modules, whose private keys are published beside them: whatever they hold, anyone
 * can take.
 *
 * @see komodo and tokel src/cc/CCcustom.cpp; spec/cc-scripts.md 8
 */
export const moduleNames: ReadonlyMap<string, string> = new Map([
  [assetsGlobalPubkey, 'assets'],
  ['03682b255c40d0cde8faee381a1a50bbb89980ff24539cb8518e294d3a63cefe12', 'faucet'],
  ['03da60379d924c2c30ac290d2a86c2ead128cb7bd571f69211cb95356e2dcc5eb9', 'rewards'],
  ['039d966927cfdadab3ee6c56da63c21f17ea753dde4b3dfd41487103e24b27e94e', 'dice'],
  ['039b52d294b413b07f3643c1a28c5467901a76562d8b39a785910ae0a0f3043810', 'fsm'],
  ['037eefe050c14cb60ae65d5b2f69eaa1c9006826d729bc0957bdc3024e3ca1dbe6', 'auction'],
  ['03f72d2c4db440df1e706502b09ca5fec73ffe954ea1883e4049e98da68690d98f', 'lotto'],
  ['03c91bef3d7cc59c3a89286833a3446b29e52a5e773f738a1ad2b09785e5f4179e', 'heir'],
  ['035debdb19b1c98c615259339500511d6216a3ffbeb28ff5655a7ef5790a12ab0b', 'channels'],
  ['038c1d42db6a45a57eccb8981b078fb7857b9b496293fe299d2b8d120ac5b5691a', 'oracles'],
  ['0358f1764f82c63abc7c7455555fd1d3184905e30e819e97667e247e5792b46856', 'payments'],
  ['03ea9c062b9652d8eff34879b504eda0717895d27597aaeb60347d65eed96ccb40', 'gateways'],
  [tokensGlobalPubkey, 'tokens'],
  ['0397231cfe04ea32d5fafb2206773ec9fba6e15c5a4e86064468bca195f7542714', 'importgateway'],
  ['032447d97655da079729dc024c61088ea415b22f4c15d4810ddaf2069ac6468d2f', 'cclib'],
  ['039894cb054c0032e99e65e715b03799607aa91212a16648d391b6fa2cc52ed0cf', 'prices'],
  ['03c75c1de29a35e41606363b430c08be1c2dd93cf7a468229a082cc79c7b77eece', 'pegs'],
  ['03afc5be570d0ff419425cfcc580cc762ab82baad88c148f5b028d7db7bfeee61d', 'marmara'],
  [tokensV2GlobalPubkey, 'tokens v2'],
  [assetsV2GlobalPubkey, 'assets v2'],
])

/** `push(pubkey) OP_CHECKSIG`: where komodod sends native change. */
export function pubkeyScript(pubkey: string): string {
  return `21${pubkey}ac`
}

/** The script that the address of `pubkey` stands for. */
export function pubkeyHashScript(pubkey: string): string {
  return `76a914${hash160(pubkey)}88ac`
}

/** Pay-to-pubkey or pay-to-pubkey-hash of a key, in every push form that the daemon's templates match. */
export function paysKey(script: string, pubkey: string): boolean {
  if (!/^(?:0[23].{64}|0[467].{128})$/.test(pubkey)) return false
  if (!script.startsWith('76a9')) return pushes(pubkey).some((push) => script === `${push}ac`)
  return pushes(hash160(pubkey)).some((push) => script === `76a9${push}88ac`)
}

function pushes(data: string): string[] {
  const length = (data.length / 2).toString(16)
  return ['', '4c', '4d', '4e'].map((opcode, form) => {
    const width = form === 3 ? 8 : form === 2 ? 4 : 2
    return opcode + length.padEnd(width, '0') + data
  })
}
