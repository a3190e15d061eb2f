/** native/wasm/antara_tx.wasm as base64: scripts/build-ts.mjs puts it there. */
declare module '#wasm' {
  export const wasmBase64: string
}
