// Replays wallets with our selection and others', and writes bench/report/selection.*
//
//   npm --prefix bench run selection
//   npm --prefix bench run selection -- --ours
//
// The first takes a quarter of an hour. The second takes half a minute: the others' figures, which
// are the same every time, are those of the last report.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

import { readArguments } from '../lib/arguments.mjs'
import { barChart, lineChart } from '../lib/chart.mjs'
import { checkBuild, installPeers } from '../lib/install.mjs'

const isOursAlone = readArguments(import.meta.url, (_, { ours = false }) => ours, {
  options: { ours: { type: 'boolean' } },
})

const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)
if (!checkBuild(say) || !installPeers(say)) process.exit(1)

const { scenario } = await import('./scenarios.mjs')
const { simulate } = await import('./simulate.mjs')
const { strategies } = await import('./strategies.mjs')
const { simulateTokens, tokenStrategies } = await import('./tokens.mjs')
const { measureOptimality } = await import('./optimality.mjs')

const reportFolder = new URL('../report/', import.meta.url)
const last = isOursAlone
  ? JSON.parse(readFileSync(new URL('selection.json', reportFolder), 'utf8'))
  : { wallets: [] }

const ours = 'antara-tx'
const core = 'Core model'
const tiny = 'bustabit-2019-2020-tiny'
const newer = ['@bitcoinerlab/coinselect', '@trezor/utxo-lib']
const anyRate = [ours, core, 'komodod', 'largest first', 'smallest first']

/** The replayed scenarios, with their strategies. */
const walletRuns = [
  {
    title: `${tiny}, a first receipt of 0.1 BTC, exact fee rates`,
    name: 'bustabit-tiny',
    operations: scenario(tiny),
    options: { initial: 10_000_000 },
    who: anyRate,
  },
  ...[2000, 10_000, 50_000].map((feeRate) => ({
    title: `moneypot, first 12000 operations, at ${feeRate / 1000} sat/B`,
    name: `moneypot-${feeRate / 1000}`,
    operations: scenario('moneypot', { feeRate, operations: 12_000 }),
    options: {},
    who: anyRate,
  })),
  ...[2000, 10_000, 50_000].map((feeRate) => ({
    title: `dias-400x10mBTC at ${feeRate / 1000} sat/B`,
    name: `dias-${feeRate / 1000}`,
    operations: scenario('dias-400x10mBTC', { feeRate }),
    options: {},
    who: anyRate,
  })),
  {
    title: `${tiny}, first 6000 operations, fee rates rounded up to whole sat/B`,
    name: 'whole-rates',
    operations: scenario(tiny, { operations: 6000 }),
    options: { initial: 10_000_000, wholeRates: true },
    who: [...anyRate, 'npm coinselect', ...newer],
  },
  {
    title: `${tiny}, first 2000 operations, fee rates rounded up to whole sat/B`,
    name: 'whole-rates-2000',
    operations: scenario(tiny, { operations: 2000 }),
    options: { initial: 10_000_000, wholeRates: true },
    who: [ours, core, 'npm coinselect', '@scure/btc-signer', ...newer],
  },
]

const tokenRuns = [
  [`${tiny}, first 6000 operations, in units of 1000 sat`, { operations: 6000 }, 1000],
  [`${tiny}, in units of 1000 sat`, {}, 1000],
  [`${tiny}, in satoshis`, {}, 1],
  ['dias-400x10mBTC, in satoshis', { name: 'dias-400x10mBTC' }, 1],
  ['synthetic-token-dust, in satoshis', { name: 'synthetic-token-dust' }, 1],
].map(([title, { name = tiny, ...options }, satsPerUnit]) => ({
  title,
  operations: scenario(name, options),
  satsPerUnit,
}))
tokenRuns.push({
  title: '100 equal coins of 10, one transfer of 1000',
  operations: [...Array.from({ length: 100 }, () => ({ value: 10 })), { value: -1000 }],
  satsPerUnit: 1,
})

function timed(what, run) {
  const start = performance.now()
  const result = run()
  say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}

function lastResult(title, strategy) {
  if (strategy === ours) return undefined
  const run = last.wallets.find((it) => it.title === title)
  return run?.results.find((it) => it.strategy === strategy)
}

const wallets = walletRuns.map(({ title, name, operations, options, who }) => ({
  title,
  name,
  operations: operations.length,
  results: who.map(
    (strategy) =>
      lastResult(title, strategy) ?? {
        strategy,
        ...timed(`${title}: ${strategy}`, () =>
          simulate(operations, strategies[strategy](), options),
        ),
      },
  ),
}))
const tokens = tokenRuns.map(({ title, operations, satsPerUnit }) => ({
  title,
  results: Object.entries(tokenStrategies).map(([strategy, choose]) => ({
    strategy,
    ...timed(`${title}: ${strategy}`, () => simulateTokens(operations, choose, { satsPerUnit })),
  })),
}))
const optimality = timed('optimality', () =>
  measureOptimality(
    Object.fromEntries(
      [...anyRate, 'npm coinselect'].map((strategy) => [strategy, strategies[strategy]]),
    ),
  ),
)

const coins = (/** @type {number} */ sats) => (sats / 1e8).toFixed(4)
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`
const resultOf = ({ results }, strategy) => results.find((it) => it.strategy === strategy)

/** @param {string[]} columns @param {(string | number)[][]} rows */
const table = (columns, rows) => [
  `| ${columns.join(' | ')} |`,
  `|${'---|'.repeat(columns.length)}`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
]

const walletTable = ({ results }) =>
  table(
    [
      'strategy',
      'fees, BTC',
      'fees and emptying',
      'mean / final coins',
      'changeless',
      'mean / most inputs',
      'waste',
      'overpaid',
      'failed (funded)',
      'underpaid',
    ],
    results.map((it) => [
      it.strategy,
      coins(it.fees),
      coins(it.feesAndEmptying),
      `${Math.round(it.meanCoins)} / ${it.finalCoins}`,
      percent(it.changelessShare),
      `${it.meanInputs.toFixed(3)} / ${it.inputsMax}`,
      coins(it.waste),
      coins(it.overpaid),
      `${it.failed} (${it.failedThoughFunded})`,
      it.underpaid,
    ]),
  )

const tokenTable = ({ results }) =>
  table(
    [
      'strategy',
      'bytes per transfer',
      'no token change',
      'mean / most token inputs',
      'mean / final token coins',
      'transfers',
      'failed (funded)',
    ],
    results.map((it) => [
      it.strategy,
      it.paid === 0 ? '' : it.bytesPerTransfer.toFixed(1),
      it.paid === 0 ? '' : percent(it.exactShare),
      it.paid === 0 ? '' : `${it.meanInputs.toFixed(3)} / ${it.inputsMax}`,
      `${Math.round(it.meanCoins)} / ${it.finalCoins}`,
      it.paid,
      `${it.failed} (${it.failedThoughFunded})`,
    ]),
  )

/** Returns the goals, and whether each is met. */
function goals() {
  const [bustabit] = wallets
  const mine = resultOf(bustabit, ours)
  const notWorse = wallets.slice(1, 7).map((run) => {
    const [own, other] = [resultOf(run, ours), resultOf(run, core)]
    const holds = own.fees <= other.fees && own.feesAndEmptying <= other.feesAndEmptying
    return [`${run.title}: fees, and fees and emptying, no worse than the Core model`, holds]
  })
  const [least] = optimality
  const share = least.reached / least.solvable
  const tokenGoals = tokens.slice(0, 3).map((run) => {
    const [own, other] = [resultOf(run, ours), resultOf(run, 'komodod')]
    return [
      `${run.title}: fewer bytes than komodod, 80 % without token change (${percent(own.exactShare)})`,
      own.bytesPerTransfer < other.bytesPerTransfer && own.exactShare >= 0.8,
    ]
  })
  return [
    ['bustabit-tiny: fees at most 0.387 BTC', mine.fees <= 0.387e8],
    ['bustabit-tiny: fees and emptying at most 0.410 BTC', mine.feesAndEmptying <= 0.41e8],
    ['bustabit-tiny: at least 33 % changeless', mine.changelessShare >= 0.33],
    [
      'no payment fails that was funded, none is underpaid',
      wallets.every((run) => {
        const { failedThoughFunded, underpaid } = resultOf(run, ours)
        return failedThoughFunded === 0 && underpaid === 0
      }),
    ],
    ...notWorse,
    [`at least 99 % of random instances reach the least waste (${percent(share)})`, share >= 0.99],
    ...tokenGoals,
    [
      'every funded transfer succeeds, 100 equal small coins included',
      tokens.every((run) => resultOf(run, ours).failedThoughFunded === 0),
    ],
  ]
}

const charts = {
  'selection-fees.svg': barChart({
    title: 'What payments cost, with emptying the wallet at 10 sat/B',
    subtitle:
      'Relative to the model of Bitcoin Core’s mix, which is the dashed line. Less is better.',
    groups: wallets.slice(0, 8).map((run) => ({
      label: run.title,
      bars: run.results.map((it) => {
        const value = it.feesAndEmptying / resultOf(run, core).feesAndEmptying
        return {
          label: it.strategy,
          value,
          text: `${value.toFixed(3)}  ${coins(it.feesAndEmptying)} BTC`,
          ours: it.strategy === ours,
        }
      }),
    })),
    footer: 'npm --prefix bench run selection',
  }),
  'selection-coins.svg': lineChart({
    title: 'Coins in the wallet',
    subtitle: `${tiny}, a first receipt of 0.1 BTC, exact fee rates`,
    xMax: wallets[0].operations,
    xLabel: 'receipts and payments so far',
    lines: wallets[0].results.map(({ strategy, poolSizes }) => ({
      label: strategy,
      values: poolSizes,
    })),
  }),
}

const reached = goals()
const markdown = [
  '# Coin selection, simulated',
  '',
  'Written by `npm --prefix bench run selection`; every run gives the same figures. Scenarios: [vectors/selection](../vectors/selection/README.md). The Core model is written from the description of Bitcoin Core 29’s algorithms and passes its unit cases (bench/test/core-model.test.mjs). Sizes are those of pay-to-witness-key-hash, as in the published simulations: 68 bytes an input, 31 a change output, 41 the rest. The long-term fee rate is 10 sat/B.',
  '',
  '![fees and emptying](selection-fees.svg)',
  '![coins in the wallet](selection-coins.svg)',
  '',
  '## What it has to show',
  '',
  ...table(
    ['', ''],
    reached.map(([goal, holds]) => [goal, holds ? 'met' : '**missed**']),
  ),
  '## Payments',
  '',
  'Overpaid is what a fee is above what the size needs: change too small to make. Failed payments are those that no choice of coins could pay, unless funded.',
  '',
  ...wallets.flatMap((run) => [`### ${run.title}`, '', ...walletTable(run)]),
  'What we leave of moneypot are some 370 coins of at most 100 satoshis. Emptying counts 680 satoshis for each, which nobody would pay for them; the Core model’s knapsack spends such coins at a loss.',
  '',
  '`dias.csv` has receipts only, so there is nothing to choose; `dias-400x10mBTC` is the same with 400 payments. npm coinselect and @scure/btc-signer take whole satoshis per byte only; the latter needs a tenth of a second a payment, so its table is short.',
  '',
  '## Least waste',
  '',
  '3000 random instances of up to 16 coins in seven families of values, those that can be paid: how often each strategy reaches the least waste of all sets of coins, within 2 satoshis, and how far off it is on average.',
  '',
  ...table(
    ['strategy', 'reached', 'mean gap, sat', 'failed'],
    optimality.map((it) => [
      it.name,
      `${it.reached} of ${it.solvable} (${percent(it.reached / it.solvable)})`,
      it.meanGap.toFixed(1),
      it.failed,
    ]),
  ),
  '## Token transfers',
  '',
  'The scenarios as token units, a native coin paying the fixed fee of 10 000 satoshis. Coarse units match more often; the first table is the unit and length of the study that the goal comes from.',
  '',
  ...tokens.flatMap((run) => [`### ${run.title}`, '', ...tokenTable(run)]),
].join('\n')

mkdirSync(reportFolder, { recursive: true })
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const data = { version, wallets, optimality, tokens, goals: reached }
const files = { 'selection.md': markdown, 'selection.json': `${JSON.stringify(data)}\n`, ...charts }
for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, reportFolder), text)
say(
  `wrote ${Object.keys(files)
    .map((name) => `bench/report/${name}`)
    .join(', ')}`,
)
