// The library's answers to recordings and published vectors, wherever it runs: in Node, in a page,
// in a worker, from a bundle. Nothing here needs more than JavaScript itself.

const plain = (value) =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member))

export async function answersOf(library, vectors) {
  const answers = {}
  const ask = async (name, ask) => {
    try {
      answers[name] = plain(await ask())
    } catch (error) {
      answers[name] = library.isAntaraError(error)
        ? plain({ code: error.code, ...error.context })
        : String(error)
    }
  }
  for (const [at, hex] of vectors.transactions.entries()) {
    await ask(`transaction ${at}`, () => [
      library.transactionId(hex),
      library.encodeTransaction(library.decodeTransaction(hex)) === hex,
      library.decodeRawTransaction(hex),
    ])
    await ask(`half of transaction ${at}`, () =>
      library.decodeTransaction(hex.slice(0, hex.length >> 1)),
    )
  }
  for (const [name, { fulfillment, message, condition }] of Object.entries(vectors.fulfillments)) {
    await ask(name, () => library.verifyFulfillment(fulfillment, message, condition))
  }
  const { key, cases, tree } = vectors
  for (const [name, text] of Object.entries(cases)) {
    const read = () => library.parseCase(text)
    await ask(`verdict on ${name}`, () => library.verifyCase(read()))
    await ask(`text of ${name}`, () => library.formatCase(read()) === text)
    await ask(`verdict on ${name}, on threads`, () => {
      const one = read()
      return one.operation === 'tokentransfer'
        ? library.verifyTokenTransferAsync(one.hex, one.intent, one.evidence)
        : library.verifyTokenCreateAsync(one.hex, one.intent, one.evidence)
    })
    await ask(`signed ${name}`, () => library.signCase(read(), [key]))
  }
  await ask('message', () => library.signMessage('hello', key, library.networks.komodo))
  await ask('signed tree', () => library.signFulfillment(tree, '00'.repeat(32), key))
  await ask('uri', () => library.parseConditionUri(library.conditionUri(tree)))
  await ask('condition JSON', () => library.conditionToJson(tree))
  await ask('selection', () =>
    library.selectCoins(
      { values: BigInt64Array.of(5000n, 70_000n, 9000n), inputBytes: 148 },
      { target: 60_000n, feeRate: 1, baseBytes: 44, changeBytes: 34, changeSpendBytes: 148 },
    ),
  )
  return answers
}
