// Tries everything the library offers where no engine can be loaded, and prints what became of each
// call: a value, or the code of the error. The first argument is the library's entry.

const library = await import(process.argv[2])
const given = JSON.parse(await new Response(process.stdin).text())
const { networks } = library
const { text, hex, intent, evidence, key, pubkey, script, tree, address } = given
/** The scriptSig of the input that spends tokens: a push of 0x79 bytes. */
const scriptSig = hex.slice(hex.indexOf('4c79a2')).slice(0, 2 * (2 + 0x79))
const asked = { ...intent, amount: BigInt(intent.amount) }
const prevouts = [{ value: 1n, script }]
const payment = { target: 1n, feeRate: 1, baseBytes: 44, changeBytes: 34, changeSpendBytes: 148 }
const coins = { values: BigInt64Array.of(5n), inputBytes: 148 }

/** Names say whether a call needs the engine. */
const calls = {
  networks: () => Object.keys(networks).length,
  defineNetwork: () => library.defineNetwork({ name: 'x' }).name,
  printable: () => library.printable('a\u001b'),
  error: () => new library.AntaraError('truncated').code,
  publicKeyOf: () => library.publicKeyOf(key),
  decodeWif: () => library.decodeWif(library.encodeWif(key, networks.komodo), networks.komodo),
  scriptOfAddress: () => library.scriptOfAddress(address, networks.komodo),
  'needs it: addressOf': () => library.addressOf(pubkey, networks.komodo),
  'needs it: addressOfScript': () => library.addressOfScript(script, networks.komodo),
  'needs it: conditionUri': () => library.conditionUri(tree),
  'needs it: createCoinIndex': () => library.createCoinIndex(coins.values, 148),
  'needs it: decodeCondition': () => library.decodeCondition('a0'),
  'needs it: decodeConditionScript': () => library.decodeConditionScript(script),
  'needs it: decodeConditionScriptSig': () => library.decodeConditionScriptSig(scriptSig),
  'needs it: decodeFulfillment': () => library.decodeFulfillment('a0'),
  'needs it: decodeRawTransaction': () => library.decodeRawTransaction(hex),
  'needs it: decodeScript': () => library.decodeScript(script),
  'needs it: decodeTokenTransaction': () => library.decodeTokenTransaction(hex),
  'needs it: decodeTransaction': () => library.decodeTransaction(hex),
  'needs it: encodeCondition': () => library.encodeCondition(tree),
  'needs it: prover': () => library.createTokenProver([hex]),
  'needs it: proveTokenOutput': () =>
    library.proveTokenOutput(intent.tokenid, 0, intent.tokenid, [hex]),
  'needs it: selectCoins': () => library.selectCoins(coins, payment),
  'needs it: signCase': () => library.signCase(library.parseCase(text), [key]),
  'needs it: signMessage': () => library.signMessage('a', key, networks.komodo),
  'needs it: signTransaction': () => library.signTransaction(hex, [key], prevouts),
  'needs it: signatureHashes': () => library.signatureHashes(hex, prevouts),
  'needs it: tokenScript': () => library.tokenScript(pubkey),
  'needs it: transactionId': () => library.transactionId(hex),
  'needs it: verifyCase': () => library.verifyCase(library.parseCase(text)),
  'needs it: verifyFulfillment': () => library.verifyFulfillment('a0', '', 'a0'),
  'needs it: verifyInputs': () => library.verifyInputs(hex, prevouts),
  'needs it: verifyTokenTransfer': () => library.verifyTokenTransfer(hex, asked, evidence),
}

const outcomes = {}
for (const [name, call] of Object.entries(calls)) {
  try {
    await call()
    outcomes[name] = 'a value'
  } catch (error) {
    outcomes[name] = library.isAntaraError(error) ? error.code : String(error)
  }
}
console.log(JSON.stringify(outcomes))
