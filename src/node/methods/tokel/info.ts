// Methods that read tokeld's tokens.

import { assetsV2EvalCode } from '../../../chain/modules.ts'
import { compressedKeyDigits } from '../../../primitives/hex-forms.ts'
import { conditionScript, moduleCondition } from '../../../script/condition-script.ts'
import { pubkeyScript } from '../../../script/key-script.ts'
import type { PayloadExtra } from '../../../token/payload/payload.ts'
import { slotScript, tokenEvalCodes } from '../../../token/rules/slot-script.ts'
import { tokelChain } from '../../../token/rules/tokel-modules.ts'
import { creationIn, rulesOfVersion, type TokenVersion } from '../../../token/rules/tokel-output.ts'
import { tokelSupply } from '../../../token/rules/tokel-validation.ts'
import { wireKey } from '../../state/keys.ts'
import { type IndexKey, indexTypes } from '../../state/script-index.ts'
import { coinsUnder, findTransaction, positionOf } from '../../state/view.ts'
import { indexKeyOf } from '../../wallet/condition-builder.ts'
import {
  modulesChain,
  tokelInputsOf,
  tokenIndexKeys,
  tokensAt,
} from '../../wallet/tokel-builder.ts'
import { tokelIndexScripts } from '../../wallet/tokel-scripts.ts'
import { changesOf, oldMarkers } from '../address-index.ts'
import { type Answer, moduleError } from '../answer.ts'
import { type Context, type MethodRow, type Methods, methodsIn } from '../context.ts'
import { failure } from '../failure.ts'
import { assetsModule, type NamedModule, tokensModule } from '../module-method.ts'
import { hashOrZero, lenientHex, text } from '../params.ts'
import { addressOf, balanceOf, ordinaryBalanceOf } from '../tokens.ts'
import { bothVersions, keyOf, quotedObject, tokelMethod } from './method.ts'

export const tokelInfoMethods: Methods = methodsIn('tokens', [
  ...bothVersions('info', (name, version) =>
    tokelMethod(`${name} tokenid\n`, [1, 1], (context, _, [id]) =>
      infoOf(context, hashOrZero(text(id)), version),
    ),
  ),
  ...bothVersions('infotokel', (name, version) =>
    tokelMethod(`${name} tokenid\n`, [1, 1], (context, _, [id]) =>
      infoOf(context, hashOrZero(text(id)), version, propertiesOf),
    ),
  ),
  ...bothVersions('balance', (name, version) =>
    tokelMethod(`${name} tokenid [pubkey]\n`, [1, 2], (context, builder, [id, given]) => {
      const pubkey = given === undefined ? builder.pubkey : keyOf(lenientHex(text(given)))
      if (pubkey === undefined) return moduleError('invalid pubkey')
      return balanceAnswer(context, text(id), { version, pubkey })
    }),
  ),
  ...bothVersions('allbalances', (name, version) =>
    tokelMethod(`${name} [pubkey]\n`, [0, 1], (context, builder, [given]) => {
      const pubkey = given === undefined ? builder.pubkey : keyOf(lenientHex(text(given)))
      return pubkey === undefined ? [] : allBalances(context, version, pubkey)
    }),
  ),
  tokelMethod('tokenlist\n', [0, 0], (context) => listed(context, 1)),
  tokelMethod(listUsage(), [0, 1], (context, _, [given]) =>
    listed(context, 2, given === undefined ? {} : filterOf(given)),
  ),
  indexKeyMethod('tokenindexkey', 'tokenaddress', tokensModule),
  indexKeyMethod('assetsindexkey', 'assetsaddress', assetsModule),
  tokelMethod(
    indexUsage('tokenv2indexkey', 'tokens index keys', 'tokens outputs'),
    [1, 1],
    (context, _, [given]) => addressesOf(context, 2, wholeKey(text(given))),
  ),
  tokelMethod(
    indexUsage('assetsv2indexkey', 'address index key', 'assets cc outputs'),
    [1, 1],
    (context, _, [given]) => addressOf(context, assetsScript(wholeKey(text(given)))),
  ),
])

function indexUsage(name: string, what: string, listed: string): string {
  return `${name} pubkey\nreturns ${what} for pubkey.\nIt can be used with getaddressutxos getaddresstxids rpcs to list ${listed} on this pubkey\n`
}

function listUsage(): string {
  return [
    'tokenv2list [json-params]',
    'json-params optional params as a json object, limiting tokenv2list output:',
    '  { "beginHeight": number "endHeight": number, "pubkey": hexstring, "address": string }',
    '  "beginHeight", "endHeight" - height interval where to search tokenv2create transactions, if beginHeight omitted the first block used, if endHeight omitted the chain tip used  "pubkey" - search tokens created by a specific pubkey',
    '  "address" - search created on a specific cc address',
    '',
  ].join('\n')
}

function wholeKey(hex: string): string {
  const key = keyOf(lenientHex(hex))
  if (key === undefined) throw failure('misc', 'invalid pubkey\n')
  return key
}

/** The script of what assets v2 hold for a key. */
export function assetsScript(pubkey: string): string {
  return conditionScript(moduleCondition([pubkey], { evalCodes: [assetsV2EvalCode] }), {
    form: 'M',
  })
}

function addressesOf(context: Context, version: TokenVersion, pubkey: string): string[] {
  return tokelIndexScripts(version, pubkey).map((script) => addressOf(context, script))
}

/**
 * The method for the addresses of a module.
 *
 * @param shown - the name in its usage, which is not the method's own
 * @see tokel src/cc/CCutils.cpp, CCaddress
 */
function indexKeyMethod(
  name: string,
  shown: string,
  { name: module, evalCode, global }: NamedModule,
): MethodRow {
  const condition = (key: string) => slotScript([key], [evalCode])
  const row = tokelMethod(`${shown} [pubkey]\n`, [0, 1], (context, { pubkey }, [param]) => {
    const given = param === undefined ? '' : lenientHex(text(param))
    const other = keyOf(given)
    return {
      result: 'success',
      [`GlobalPk ${module} CC Address`]: addressOf(context, condition(global)),
      [`GlobalPk ${module} CC Balance`]: balanceOf(context, condition(global)),
      [`GlobalPk ${module} Normal Address`]: addressOf(context, pubkeyScript(global)),
      [`GlobalPk ${module} Normal Balance`]: balanceOf(context, pubkeyScript(global)),
      ...(module === 'Assets' && {
        'GlobalPk Assets/Tokens CC Address': addressOf(
          context,
          slotScript([global], tokenEvalCodes(evalCode)),
        ),
      }),
      ...(given.length === compressedKeyDigits &&
        other !== undefined && {
          [`pubkey ${module} CC Address`]: addressOf(context, condition(other)),
          // The daemon looks for ordinary coins at this address.
          [`pubkey ${module} CC Balance`]: ordinaryBalanceOf(context, condition(other)),
        }),
      [`mypk ${module} CC Address`]: addressOf(context, condition(pubkey)),
      [`mypk ${module} CC Balance`]: balanceOf(context, condition(pubkey)),
      'mypk Normal Address': addressOf(context, pubkeyScript(pubkey)),
      'mypk Normal Balance': balanceOf(context, pubkeyScript(pubkey)),
    }
  })
  return { ...row, name }
}

/** @see tokel src/cc/CCtokens_impl.h, TokenInfo */
function infoOf(
  context: Context,
  tokenid: string,
  version: TokenVersion,
  dataAsJson: (data: PayloadExtra) => Answer | undefined = () => undefined,
): Answer {
  const stored = findTransaction(context, tokenid)
  if (stored === undefined) return moduleError('cant find tokenid')
  const position = positionOf(context.state, tokenid)
  if (position === undefined) return moduleError('the transaction is still in mempool')
  const created = creationIn(stored.transaction, version)
  if (created === undefined) return moduleError('tokenid isnt token creation txid')
  const [extra] = created.extras
  const chain = tokelChain(modulesChain(context.engine))
  return {
    result: 'success',
    tokenid,
    owner: created.owner,
    name: created.name,
    supply: tokelSupply(tokenid, version, chain),
    description: created.description,
    ...(extra !== undefined &&
      extra.data !== '' && { data: extra.data, dataAsJson: dataAsJson(extra) }),
    version: 1,
    IsMixed: version === 2 ? 'yes' : 'no',
    height: position.height,
  }
}

/** @see tokel src/cc/CCTokelData.cpp, ParseTokelVData: in the order of the properties' numbers */
function propertiesOf({ properties = {} }: PayloadExtra): Answer {
  const { id, url, royalty, arbitrary } = properties
  return { id, url, royalty, arbitrary }
}

interface Asker {
  readonly version: TokenVersion
  readonly pubkey: string
}

/** @see tokel src/cc/CCtokens_impl.h, GetTokenBalance */
function balanceAnswer(context: Context, echoed: string, { version, pubkey }: Asker): Answer {
  const tokenid = hashOrZero(echoed)
  const stored = findTransaction(context, tokenid)
  if (stored === undefined) return moduleError('cant find tokenid')
  const { outputs } = stored.transaction
  if (outputs.length < 2 || creationIn(stored.transaction, version) === undefined) {
    return moduleError('not a tokenid (invalid tokenbase)')
  }
  return {
    result: 'success',
    CCIndexKeys: addressesOf(context, version, pubkey),
    tokenid: echoed,
    balance: tokelInputsOf(context.engine, { version, tokenid, pubkey }).amount,
  }
}

/** By token, in the daemon's order of hashes. @see tokel src/cc/CCtokens_impl.h, GetAllTokenBalances */
function allBalances({ engine }: Context, version: TokenVersion, pubkey: string): Answer {
  const amounts = new Map<string, bigint>()
  for (const key of tokenIndexKeys(engine, version, pubkey)) {
    for (const { tokenid, value } of tokensAt(engine, key, version)) {
      amounts.set(tokenid, (amounts.get(tokenid) ?? 0n) + value)
    }
  }
  return [...amounts]
    .sort(([one], [other]) => (wireKey(one) < wireKey(other) ? -1 : 1))
    .map(([tokenid, amount]) => ({ [tokenid]: amount }))
}

export interface ListFilter {
  readonly beginHeight?: number
  readonly endHeight?: number
  readonly pubkey?: string | undefined
  readonly address?: string
}

const filterMembers = ['beginHeight', 'endHeight', 'pubkey', 'address']

function filterOf(given: Parameters<typeof quotedObject>[0]): ListFilter {
  const query = quotedObject(given, 'parameter must be a valid json object\n')
  if (query === undefined) throw failure('misc', 'parameter 1 must be a json object')
  return heightsOf(query, filterMembers)
}

/** @throws {RpcFailure} for an unknown member */
export function heightsOf(
  query: { readonly [member: string]: unknown },
  members: readonly string[],
): ListFilter {
  for (const member of Object.keys(query)) {
    if (!members.includes(member)) throw failure('misc', `invalid json param${member}`)
  }
  const number = (value: unknown) => Number.parseInt(String(value ?? ''), 10) || 0
  return {
    beginHeight: number(query.beginHeight),
    endHeight: number(query.endHeight),
    ...(query.pubkey !== undefined && { pubkey: keyOf(lenientHex(String(query.pubkey))) }),
    ...(query.address !== undefined && { address: String(query.address) }),
  }
}

/**
 * Creations whose marker is unspent, or all of some heights. Of version 1, those with the old marker
 * at the module's ordinary address come first, spent or not.
 *
 * @see tokel src/cc/CCtokens.cpp, TokenList, TokenV2List
 */
function listed(context: Context, version: TokenVersion, filter: ListFilter = {}): Answer {
  const key = indexKeyOf(context.engine, rulesOfVersion[version].marker, indexTypes.condition)
  const found = paidBetween(context, key, filter) ?? [...coinsUnder(context, key)]
  return [...(version === 1 ? oldMarkers(context) : []), ...found].flatMap(({ txid }) => {
    const created = creationIn(findTransaction(context, txid)!.transaction, version)
    return created !== undefined && isWanted(context, created.owner, filter) ? [txid] : []
  })
}

/** Outputs to an address in blocks of some heights, spent or not; undefined without heights. */
export function paidBetween(
  context: Context,
  key: IndexKey,
  { beginHeight = 0, endHeight = 0 }: ListFilter,
): { readonly txid: string }[] | undefined {
  if (beginHeight <= 0 && endHeight <= 0) return undefined
  const last = endHeight > 0 ? endHeight : context.state.chain.tip.height
  return changesOf(context, key).filter(
    ({ satoshis, height }) => satoshis > 0n && height >= beginHeight && height <= last,
  )
}

function isWanted(context: Context, owner: string, { pubkey, address }: ListFilter): boolean {
  if (pubkey !== undefined) return owner === pubkey
  if (address === undefined || address === '') return true
  return addressesOf(context, 2, owner)[0] === address
}
