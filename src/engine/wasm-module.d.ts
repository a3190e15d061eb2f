/** native/wasm/antara_tx.wasm as base64: scripts/build-ts.mjs puts it there. */
declare module '#wasm' {
  export const wasmBase64: string
}

/** src/engine/wasm-worker.ts and everything that it imports, as one script. */
declare module '#wasm-worker' {
  export const workerText: string
}
