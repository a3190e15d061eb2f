import type { ConsolidationRequest, PaymentRequest } from '../builders/payment-request.ts'
import {
  amount,
  height,
  type Members,
  malformed,
  object,
  parseJson,
  string,
  strings,
} from '../primitives/json-fields.ts'
import { heights as heightsByTxid, outpoints } from '../request/forms.ts'
import { readNetwork } from '../request/network.ts'
import { own, payees, redeemScripts } from '../request/payment.ts'
import { readFees } from '../request/terms.ts'

const commonMembers = [
  'network',
  'own',
  'redeemScripts',
  'coins',
  'previousTransactions',
  'fee',
  'feeRate',
  'maxFee',
  'tipHeight',
  'expiryHeight',
  'lockTime',
  'tipTime',
  'medianTime',
  'heights',
  'note',
]

/** Reads what is to be paid. @throws {AntaraError} `malformed_case`, naming the member */
export function parsePaymentRequest(text: string): PaymentRequest {
  const members = [...commonMembers, 'recipients', 'change', 'nulldata', 'spend']
  const root = object(parseJson(text), 'request', members)
  const { change, nulldata, spend } = root
  if (spend !== undefined && spend !== 'selected' && spend !== 'all') {
    throw malformed('spend', 'selected or all', spend)
  }
  return {
    ...common(root),
    recipients: payees.read(root.recipients, 'recipients'),
    ...(change !== undefined && { change: string(change, 'change') }),
    ...(nulldata !== undefined && { nulldata: string(nulldata, 'nulldata') }),
    ...(spend !== undefined && { spend: spend as 'selected' | 'all' }),
  }
}

/** Reads which coins are to be merged. @throws {AntaraError} `malformed_case`, naming the member */
export function parseMergeRequest(text: string): ConsolidationRequest {
  const root = object(parseJson(text), 'request', [...commonMembers, 'to', 'maxInputs'])
  const { to, maxInputs } = root
  return {
    ...common(root),
    ...(to !== undefined && { to: string(to, 'to') }),
    ...(maxInputs !== undefined && { maxInputs: height(maxInputs, 'maxInputs') }),
  }
}

function common(root: Members) {
  const { tipHeight, expiryHeight, lockTime, tipTime, medianTime, heights, feeRate } = root
  if (tipHeight === undefined && expiryHeight === undefined) {
    throw malformed('tipHeight', 'a height, or expiryHeight instead', tipHeight)
  }
  return {
    network: readNetwork(root.network),
    own: own.read(root.own, 'own'),
    ...readFees(root),
    ...(feeRate !== undefined && { feeRate: amount(feeRate, 'feeRate') }),
    ...(root.redeemScripts !== undefined && {
      redeemScripts: redeemScripts.read(root.redeemScripts, 'redeemScripts'),
    }),
    ...(tipHeight !== undefined && { tipHeight: height(tipHeight, 'tipHeight') }),
    ...(expiryHeight !== undefined && { expiryHeight: height(expiryHeight, 'expiryHeight') }),
    ...(lockTime !== undefined && { lockTime: height(lockTime, 'lockTime') }),
    ...(tipTime !== undefined && { tipTime: height(tipTime, 'tipTime') }),
    ...(medianTime !== undefined && { medianTime: height(medianTime, 'medianTime') }),
    ...(heights !== undefined && { heights: heightsByTxid.read(heights, 'heights') }),
    coins: outpoints.read(root.coins, 'coins'),
    previousTransactions: strings(root.previousTransactions, 'previousTransactions'),
  }
}
