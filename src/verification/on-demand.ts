// Verification and signatures of cases whose operation is loaded when it is needed. A page that
// sends tokens does without the rules of payments, creations and orders.

import { defaultNetwork } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, requireString } from '../primitives/arguments.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { Case, Intents, OperationName } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import { signBy, wantedSignatures } from '../signing/sign.ts'
import { readSigner } from '../signing/signer.ts'
import { verifySignature } from '../signing/verify.ts'
import { lacksOnlySignatures, prevoutsOf } from './case-signing.ts'
import type { Operation } from './operation.ts'
import { tokenTransfer } from './operations/transfer.ts'
import type { InclusionCheck } from './rules.ts'
import { verifyCopiedAsync, verifyOperation } from './verify-operation.ts'

type AnyOperation = Operation<Intents[OperationName]>

const orders = () => import('./operations/order.ts')

/** The operations of `operations/catalogue.ts`. A token transfer is there from the start. */
const loaders: { readonly [Name in OperationName]: () => Promise<Operation<Intents[Name]>> } = {
  tokentransfer: async () => tokenTransfer,
  tokencreate: async () => (await import('./operations/create.ts')).tokenCreate,
  payment: async () => (await import('./operations/payment.ts')).payment,
  tokenask: async () => (await orders()).tokenAsk,
  tokenbid: async () => (await orders()).tokenBid,
  tokenfillask: async () => (await orders()).tokenFillAsk,
  tokenfillbid: async () => (await orders()).tokenFillBid,
  tokencancelask: async () => (await orders()).tokenCancelAsk,
  tokencancelbid: async () => (await orders()).tokenCancelBid,
}

/** @throws {TypeError} for a name that no operation has */
async function loadOperation(name: OperationName): Promise<AnyOperation> {
  if (typeof name === 'string' && Object.hasOwn(loaders, name)) {
    return (await loaders[name]()) as AnyOperation
  }
  throw argumentError('operation', Object.keys(loaders).join(', '), name)
}

/** Loads the check of proofs where a case has them, or demands them. */
async function loadInclusion({ intent, evidence }: Case): Promise<InclusionCheck | undefined> {
  if (intent?.chain === undefined && evidence?.inclusion === undefined) return undefined
  return (await import('./inclusion.ts')).checkInclusion
}

export async function verifyOnDemand(given: Case, options: SliceOptions): Promise<Report> {
  const { operation, hex, intent, evidence } = snapshot(given, 'case')
  const loaded = await loadOperation(operation)
  const inclusionOf = await loadInclusion({ operation, hex, intent, evidence } as Case)
  return verifyCopiedAsync(loaded, hex, intent, evidence, options, inclusionOf)
}

/** The facts that a signer may look at before it signs. */
export interface SigningContext {
  readonly case: Case
  /** The report on the unsigned transaction: missing signatures are its only rejects. */
  readonly report: Report
}

/** A key that signs elsewhere: on a device, in a key service, or on another machine. */
export interface KeySigner {
  /** Compressed, hex. */
  readonly publicKey: string
  /**
   * Signs a hash.
   *
   * @param hash - 32 bytes, hex
   * @returns r and s, 64 bytes, hex; s in the lower half, as nodes require
   */
  sign(hash: string, context: SigningContext): Promise<string>
}

/**
 * Signs as `signCase`, with signers whose answers take time. Each signature is verified natively
 * before it is used. The hashes come from this copy of the case: a signer that changes what it was
 * shown changes nothing.
 *
 * @throws {AntaraError} `signature_invalid` and the like, where a signer answers with anything but
 *   a signature of its key
 */
export async function signCaseWith(given: Case, signers: readonly KeySigner[]): Promise<Report> {
  const taken = snapshot(given, 'case')
  const operation = await loadOperation(taken.operation)
  const inclusionOf = await loadInclusion(taken)
  const verify = ({ hex, intent, evidence }: Case) =>
    verifyOperation(operation, hex, intent, evidence, inclusionOf)
  const before = verify(taken)
  if (!before.ok && !lacksOnlySignatures(before)) return before
  const network = taken.intent.network ?? defaultNetwork
  const { moduleKeys = [] } = operation
  const modules = moduleKeys.map((key, at) => readSigner(key, network, `moduleKeys[${at}]`))
  const prevouts = prevoutsOf(before.hex, taken)
  const publicKeys = signers.map(({ publicKey }) => publicKey)
  const signatures = new Map<string, string>()
  // Each signer gets a copy of its own, so that it cannot change what others see. A copy for each
  // input would take time that grows with the square of their number.
  const shownTo = new Map<string, SigningContext>()
  for (const { publicKey, hash } of wantedSignatures(
    publicKeys,
    modules,
    before.hex,
    prevouts,
    network,
  )) {
    const name = `${publicKey} ${hash}`
    if (signatures.has(name)) continue
    const signer = signers[publicKeys.indexOf(publicKey)]!
    const shown = shownTo.get(publicKey) ?? {
      case: snapshot(taken, 'case'),
      report: snapshot(before, 'report'),
    }
    shownTo.set(publicKey, shown)
    const answered: unknown = await signer.sign(hash, shown)
    const path = `signature of ${publicKey}`
    requireString(answered, path)
    const signature = answered.toLowerCase()
    const { code } = verifySignature({ hash, publicKey, signature, encoding: 'compact' })
    if (code !== undefined) throw new AntaraError(code, { path })
    signatures.set(name, signature)
  }
  const ready = publicKeys.map((publicKey) => ({
    publicKeys: [publicKey, ''] as const,
    sign: (hash: string) => signatures.get(`${publicKey} ${hash}`)!,
  }))
  const { hex } = signBy([...ready, ...modules], before.hex, prevouts, network)
  return verify({ ...taken, hex })
}
