/** native/wasm/antara_tx.wasm, which scripts/build-ts.mjs puts there. */
declare module '#wasm' {
  /** Raw DEFLATE data, in base64. */
  export const wasmBase64: string
  /** The number of bytes that come out. */
  export const wasmBytes: number
}

/** src/engine/wasm-worker.ts and everything that it imports, as one script. */
declare module '#wasm-worker' {
  export const workerText: string
}
