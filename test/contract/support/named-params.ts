// The parameters of typed methods, written down here a second time.

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Named parameters that stand for recorded positional ones, if the types allow any. */
export function namedParams({ method, params }: Call): object | undefined {
  const names: { readonly [method: string]: readonly string[] } = {
    tokenaddress: ['pubkey'],
    tokenbalance: ['tokenid', 'pubkey'],
    tokencreate: ['name', 'supply', 'description', 'data'],
    tokeninfo: ['tokenid'],
    tokentransfer: ['tokenid', 'destpubkey', 'amount'],
    assetsaddress: ['pubkey'],
    tokenorders: ['tokenid'],
    mytokenorders: ['evalcode'],
    tokenask: ['numtokens', 'tokenid', 'price'],
    tokenbid: ['numtokens', 'tokenid', 'price'],
    tokenfillask: ['tokenid', 'asktxid', 'fillunits'],
    tokenfillbid: ['tokenid', 'bidtxid', 'fillamount'],
    tokencancelask: ['tokenid', 'asktxid'],
    tokencancelbid: ['tokenid', 'bidtxid'],
    sendrawtransaction: ['hex', 'allowhighfees'],
    decoderawtransaction: ['hex'],
    getrawtransaction: ['txid', 'verbose'],
    gettxout: ['txid', 'n', 'includemempool'],
    getaddressutxos: ['query', 'ccvout'],
    listunspent: ['minconf', 'maxconf', 'addresses'],
    validateaddress: ['address'],
    getrawmempool: ['verbose'],
    help: ['command'],
  }
  const types: { readonly [name: string]: string } = {
    amount: 'bigint',
    numtokens: 'bigint',
    fillunits: 'bigint',
    fillamount: 'bigint',
    supply: 'bigint',
    verbose: 'number',
    n: 'number',
    minconf: 'number',
    maxconf: 'number',
    allowhighfees: 'boolean',
    includemempool: 'boolean',
    addresses: 'object',
    query: 'object',
  }
  const wanted = names[method] ?? []
  if (params.length > wanted.length) return undefined
  const entries = params.map((value, at) => {
    const name = wanted[at] ?? ''
    if (name === 'ccvout') return [name, true]
    if (unitNames.has(name)) return [name, bigintOf(value, /^\d+$/)]
    if (name === 'supply') return [name, bigintOf(value, /^\d+(?:\.\d{1,8})?$/)]
    return [name, value]
  })
  const isFit = entries.every(([name, value]) => {
    const type = types[name as string] ?? (name === 'ccvout' ? 'boolean' : 'string')
    return typeof value === type
  })
  const required = { tokenbalance: 1, tokencreate: 2, tokeninfo: 1, tokentransfer: 3, gettxout: 2 }
  const least = required[method as keyof typeof required] ?? (requiresOne.has(method) ? 1 : 0)
  if (!isFit || params.length < least) return undefined
  const { query, ...rest } = Object.fromEntries(entries)
  return { ...query, ...rest }
}

const unitNames = new Set(['amount', 'numtokens', 'fillunits', 'fillamount'])

const requiresOne = new Set([
  'sendrawtransaction',
  'decoderawtransaction',
  'getrawtransaction',
  'getaddressutxos',
  'validateaddress',
])

/** Units of a canonical decimal text; anything else stays what it is. */
function bigintOf(value: unknown, form: RegExp): unknown {
  if (typeof value !== 'string' || !form.test(value)) return value
  if (!form.source.includes('\\.')) return BigInt(value)
  const [whole = '', fraction = ''] = value.split('.')
  return BigInt(whole + fraction.padEnd(8, '0'))
}
