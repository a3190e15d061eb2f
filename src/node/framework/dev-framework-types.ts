import type { HttpServerOptions, Reply } from '../../server/http-server.ts'
import type { CallRecord } from './dispatch.ts'
import type { FrameworkPresetName } from './presets.ts'
import type { CoinConfig, FrameworkScript } from './script.ts'

/** The parts of a development framework. */
export interface DevFrameworkOptions
  extends Pick<
    HttpServerOptions,
    'host' | 'port' | 'exposeToNetwork' | 'allowedHosts' | 'allowedOrigins'
  > {
  /** Entries of a coins file. */
  readonly coins?: readonly CoinConfig[] | undefined
  /** Balances, devices, and the outcome of activations. */
  readonly script?: FrameworkScript | undefined
  /** The version that it imitates. Default 3.0.0. `docs` has coins and a script of its own. */
  readonly preset?: FrameworkPresetName | undefined
  /** Called for each call, and for each request that was refused before it became a call. */
  readonly onCall?: ((record: CallRecord) => unknown) | undefined
}

/** A framework server that runs in this process. */
export interface DevFramework {
  readonly url: string
  readonly userpass: string
  /** The same server without the network: the text of an answer to the text of a request. */
  request(body: string): Promise<Pick<Reply, 'status' | 'body'>>
  /** Milliseconds on its clock. */
  now(): number
  /** Lets time pass, where the clock is not the real one. */
  advance(ms: number): void
  plug(device: string): void
  unplug(device: string): void
  /** Ends it and every connection to it; may be called twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
