// enable_tendermint_token: one IBC asset of a chain that is active.

import { protocolReader } from './coins-file.ts'
import { MmError } from './errors.ts'
import type { FrameworkPreset } from './presets.ts'
import { type Read, struct, text } from './read.ts'
import { type FrameworkState, latencyOf, scriptedCoin } from './state.ts'
import { refuseKnownTicker, scriptedFailure, type TokenRequest } from './tendermint.ts'

/** @see komodo-defi-framework coins_activation/src/token.rs EnableTokenRequest */
export function tendermintTokenRequest(preset: FrameworkPreset): Read<TokenRequest> {
  const params = struct('TendermintTokenActivationParams', () => undefined)
  return struct('EnableTokenRequest', ({ required, optional }) => {
    required('activation_params', params)
    return {
      ticker: required('ticker', text),
      protocol: optional('protocol', protocolReader(preset), null),
    }
  })
}

export async function enableTendermintToken(
  state: FrameworkState,
  request: TokenRequest,
): Promise<object> {
  const { ticker, protocol } = request
  const fail = (type: string, words: string, data: string): MmError =>
    new MmError(words, { status: 400, type, data, trace: 'token:0]' })
  if (state.active.has(ticker)) {
    throw fail('TokenIsAlreadyActivated', `Token ${ticker} is already activated`, ticker)
  }
  refuseKnownTicker(state, request, 400)
  const { protocol_data: data } = state.coins.protocol(ticker, 'token', 'TENDERMINTTOKEN', protocol)
  const platform = String(data?.platform)
  if (!state.active.has(platform)) {
    const words = `Platform coin ${platform} is not activated`
    throw fail('PlatformCoinIsNotActivated', words, platform)
  }
  const script = scriptedCoin(state, ticker)
  const failure = scriptedFailure(script)
  await state.clock.sleep(latencyOf(script))
  if (failure !== undefined) throw failure
  state.active.set(ticker, script)
  return { balances: { [script.address]: script.balance }, platform_coin: platform }
}
