// The names and types of the parameters of typed methods. They are written here a second time, so
// that a mistake in the table of methods shows when recorded calls are replayed by name.

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/**
 * Returns named parameters for recorded positional ones; `undefined` if the types of the client do
 * not allow the call.
 */
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
    getbestblockhash: [],
    getblockhash: ['index'],
    getblock: ['block', 'verbosity'],
    getblockheader: ['hash', 'verbose'],
    getblockchaininfo: [],
    getmempoolinfo: [],
    getnetworkinfo: [],
    getpeerinfo: [],
    getmininginfo: [],
    getwalletinfo: [],
    gettransaction: ['txid', 'includeWatchonly'],
    sendtoaddress: ['address', 'sats'],
    sendmany: ['account', 'amounts', 'minconf', 'comment'],
    createrawtransaction: ['inputs', 'outputs'],
    signrawtransaction: ['hex', 'prevtxs', 'privkeys'],
    createmultisig: ['nrequired', 'keys'],
    decodescript: ['hex'],
    decodeccopret: ['scriptPubKey'],
    estimatefee: ['nblocks'],
    setpubkey: ['pubkey'],
    signmessage: ['address', 'message'],
    verifymessage: ['address', 'signature', 'message'],
    getaddressbalance: ['query', 'ccvout'],
    getaddressdeltas: ['query', 'ccvout'],
    getaddressmempool: ['query', 'ccvout'],
    getaddresstxids: ['query', 'ccvout'],
    getspentinfo: ['query'],
    tokencreatetokel: ['name', 'supply', 'description', 'properties'],
    tokenburn: ['tokenid', 'amount', 'remove'],
    tokeninfotokel: ['tokenid'],
    tokenallbalances: ['pubkey'],
    tokenindexkey: ['pubkey'],
    assetsindexkey: ['pubkey'],
    tokenv2create: ['name', 'supply', 'description', 'data'],
    tokenv2createtokel: ['name', 'supply', 'description', 'properties'],
    tokenv2transfer: ['tokenid', 'destination', 'amount'],
    tokenv2transfermany: ['one', 'destpubkey', 'amount'],
    tokenv2transferMofN: ['query'],
    tokenv2burn: ['tokenid', 'amount', 'remove'],
    tokenv2info: ['tokenid'],
    tokenv2infotokel: ['tokenid'],
    tokenv2list: ['query'],
    tokenv2balance: ['tokenid', 'pubkey'],
    tokenv2allbalances: ['pubkey'],
    tokenv2indexkey: ['pubkey'],
    assetsv2indexkey: ['pubkey'],
    tokenv2orders: ['tokenid'],
    tokenv2ask: ['numtokens', 'tokenid', 'price'],
    tokenv2bid: ['numtokens', 'tokenid', 'price'],
    tokenv2fillask: ['tokenid', 'asktxid', 'fillunits'],
    tokenv2fillbid: ['tokenid', 'bidtxid', 'fillamount'],
    tokenv2cancelask: ['tokenid', 'asktxid'],
    tokenv2cancelbid: ['tokenid', 'bidtxid'],
    tokenv2addccinputs: ['tokenid', 'pubkey', 'amount'],
    addccv2signature: ['hextx', 'conditions'],
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
    properties: 'object',
    conditions: 'object',
    one: 'object',
    remove: 'boolean',
    index: 'number',
    verbosity: 'number',
    nblocks: 'number',
    nrequired: 'number',
    includeWatchonly: 'boolean',
    sats: 'bigint',
    amounts: 'object',
    inputs: 'object',
    outputs: 'object',
    prevtxs: 'object',
    privkeys: 'object',
    keys: 'object',
  }
  const wanted = names[method] ?? []
  if (params.length > wanted.length) return undefined
  const entries = params.map((value, at) => {
    const name = wanted[at] ?? ''
    if (name === 'ccvout') return [name, true]
    if (name === 'one') return [name, [value]]
    if (name === 'prevtxs') return [name, withSats(value)]
    if (name === 'sats') return [name, satsOf(value)]
    if (name === 'amounts' || name === 'outputs') return [name, satsByAddress(value)]
    if (name === 'verbose' && method === 'getblockheader') return [name, value]
    if (name === 'remove') return [name, value === 'true']
    if (jsonNames.has(name)) return [name, objectOf(value)]
    if (unitNames.has(name)) return [name, bigintOf(value, /^\d+$/)]
    if (name === 'supply') return [name, bigintOf(value, /^\d+(?:\.\d{1,8})?$/)]
    return [name, value]
  })
  const haveTypes = entries.every(([name, value]) => {
    const isHeaderFlag = name === 'verbose' && method === 'getblockheader'
    const type = isHeaderFlag || name === 'ccvout' ? 'boolean' : (types[name as string] ?? 'string')
    return typeof value === type
  })
  const required = {
    tokenbalance: 1,
    tokencreate: 2,
    tokeninfo: 1,
    tokentransfer: 3,
    gettxout: 2,
    tokenv2create: 2,
    sendtoaddress: 2,
    sendmany: 2,
    createrawtransaction: 2,
    createmultisig: 2,
    signmessage: 2,
    verifymessage: 3,
    tokenv2createtokel: 2,
    tokenv2transfer: 3,
    tokenv2burn: 3,
    tokenv2info: 1,
    tokenv2infotokel: 1,
    tokeninfotokel: 1,
    tokenv2balance: 1,
    tokenv2indexkey: 1,
    assetsv2indexkey: 1,
  }
  const leastParams = required[method as keyof typeof required] ?? (requiresOne.has(method) ? 1 : 0)
  if (!haveTypes || params.length < leastParams || entries.some(isBadOutpoint)) return undefined
  const { query, one, properties, sats, account: _, ...rest } = Object.fromEntries(entries)
  if (Object.hasOwn(query ?? {}, 'bad')) return undefined
  return {
    ...query,
    ...(one && { tokenids: one }),
    ...(properties && { data: properties }),
    ...(sats !== undefined && { amount: sats }),
    ...rest,
  }
}

const unitNames = new Set(['amount', 'numtokens', 'fillunits', 'fillamount'])

const jsonNames = new Set(['query', 'properties'])

/**
 * Returns the object of a JSON text, with amounts as units. It returns any other value unchanged.
 */
function objectOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const { amount, ...rest } = JSON.parse(value)
    return typeof amount === 'number' ? { ...rest, amount: BigInt(amount) } : { ...rest }
  } catch {
    return value
  }
}

const requiresOne = new Set([
  'getblockhash',
  'getblock',
  'getblockheader',
  'gettransaction',
  'signrawtransaction',
  'decodescript',
  'decodeccopret',
  'estimatefee',
  'getaddressbalance',
  'getaddressdeltas',
  'getaddressmempool',
  'getaddresstxids',
  'getspentinfo',
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

/** Satoshis of a recorded number of coins; anything else stays what it is. */
function satsOf(value: unknown): unknown {
  return typeof value === 'number' ? BigInt(Math.round(value * 1e8)) : value
}

function satsByAddress(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([address, coins]) => [address, satsOf(coins)]),
  )
}

/** Outputs that are spent, with the amount in satoshis. */
function withSats(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map(({ amount, ...rest }) => ({
    ...rest,
    ...(amount !== undefined && { amount: satsOf(amount) }),
  }))
}

/** Returns true for inputs with a position that is negative or not a whole number. */
function isBadOutpoint([name, value]: readonly unknown[]): boolean {
  if (name !== 'inputs' || !Array.isArray(value)) return false
  return value.some(({ vout }) => !Number.isInteger(vout) || vout < 0)
}
