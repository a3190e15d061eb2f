import { buildConsolidation, buildPayment } from '../builders/payment.ts'
import type { UnsignedPayment } from '../builders/unsigned.ts'
import type { RequestForms } from '../request/form-table.ts'
import { formatCase } from '../request/format-case.ts'
import { listed } from '../request/forms.ts'
import { consolidationForms, paymentRequestForms } from '../request/payment.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { signCase } from '../verification/case.ts'
import { privateKeySigner } from '../wallet/signer.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { serverNotes, serverOptions } from './connection-options.ts'
import { requireConsent } from './consent.ts'
import { givenKey, keyFileOption, namingKey } from './private-key.ts'
import { readRequestFile } from './request-file.ts'
import { furtherHelp, requestHelp } from './request-help.ts'
import { sendingNotes, sendingOptions, sendOptions, withWallet } from './sending.ts'
import { printSent } from './sent-text.ts'

const absentToMerge = listed(
  Object.keys(paymentRequestForms).filter((name) => !Object.hasOwn(consolidationForms, name)),
)

export const pay: Command = {
  choosesCoins: true,
  usage: [
    '[REQUEST.json | -]',
    '--merge [REQUEST.json | -]',
    '--send [--merge] [REQUEST.json | -] [--id ID] [--key-file FILE]',
  ],
  about: `Builds a payment from coins of your own, and prints a case file without signatures for antara-tx
sign and antara-tx verify. Opens no connection. With feeRate, leaves out coins that cost more than
they are worth, and reports them on standard error. With --merge, merges many small coins into one
of your own; a fee above a tenth of the amount then needs maxFee.

With --send, signs the payment with your key, verifies it with evidence from the daemon, shows it,
asks for your consent, records it in the journal, and sends it. The request must be complete:
antara-tx wallet finds coins and heights by itself.`,
  options: [
    { name: 'merge', about: 'merge many small coins into one of your own' },
    { name: 'send', about: 'sign the payment and send it through a daemon' },
    keyFileOption,
    ...sendingOptions,
    { name: 'json', about: 'print the report, with amounts as decimal strings' },
    ...serverOptions,
  ],
  notes: `${serverNotes}

${sendingNotes}

A request is a JSON object with these members. Amounts are satoshis.
${requestHelp(paymentRequestForms)}

With --merge, a request has no ${absentToMerge}, and may have:
${furtherHelp(consolidationForms, paymentRequestForms)}`,
  async run(parsed, terminal) {
    const requestOf = <Request>(kind: string, forms: RequestForms<Request>) =>
      readRequestFile(kind, forms, parsed, terminal)
    const built = parsed.flags.has('merge')
      ? buildConsolidation(await requestOf('a request to merge coins', consolidationForms))
      : buildPayment(await requestOf('a payment request', paymentRequestForms))
    const { leftOut = [] } = built
    if (leftOut.length > 0) {
      const worth = leftOut.reduce((sum, coin) => sum + coin.worth, 0n)
      const coins = leftOut.length === 1 ? '1 coin' : `${leftOut.length} coins`
      const notice = `left out ${coins} of ${worth} satoshis, which cost more than they are worth`
      terminal.printError(`antara-tx pay: ${notice}\n`)
    }
    if (parsed.flags.has('send')) return sendBuilt(built, parsed, terminal)
    const other = [...parsed.flags, ...parsed.options.keys()].find((it) => !buildOptions.has(it))
    if (other !== undefined) throw new UsageError(`--${other} needs --send`)
    terminal.print(formatCase(built))
    return exitAgrees
  },
}

const buildOptions: ReadonlySet<string> = new Set(['merge', 'json'])

/** Signs with the one key that was given, and sends what the wallet's checks let pass. */
async function sendBuilt(
  built: UnsignedPayment,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<number> {
  const { network } = built.intent
  requireConsent(parsed, terminal)
  // They come from the user's request: coins and change may be of names that this key does not hold.
  const { redeemScripts = [] } = built.intent
  const names = typeof built.intent.own === 'function' ? [] : built.intent.own
  const own = [...names, ...redeemScripts.map(scriptHashOf)]
  const key = await givenKey(parsed.options.get('key-file'), terminal)
  const signer = namingKey(key.source, () => privateKeySigner(key.text, network))
  const sending = { parsed, terminal, isSending: true }
  return withWallet({ signers: [signer], network }, sending, async (wallet, call) => {
    const { ok, hex, findings } = signCase(built, [key.text])
    const [found] = findings.filter(({ severity }) => severity === 'reject')
    if (!ok) {
      terminal.printError(`antara-tx pay: NOT sent: ${found?.code}: ${found?.message}\n`)
      return exitFindings
    }
    return printSent(await wallet.submit({ ...built, hex }, { ...sendOptions(call), own }), call)
  })
}
