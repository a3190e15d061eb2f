/** native/wasm/antara_tx.wasm as base64: scripts/build-ts.mjs puts it there. */
declare module '#wasm' {
  export const wasmBase64: string
}

/** What src/engine/wasm-worker.ts and all that it needs is as one script. */
declare module '#wasm-worker' {
  export const workerText: string
}
