import type { VerificationAnswer, WorkerMessage, WorkerPlatform } from './wasm-workers.ts'

/** The used part of a browser's workers. Only the browser's type library declares them, and we do not load it. */
interface BrowserWorker {
  onmessage: (event: { readonly data: VerificationAnswer }) => void
  onmessageerror: () => void
  onerror: (event: { preventDefault(): void }) => void
  postMessage(message: WorkerMessage): void
  terminate(): void
}
interface Browser {
  readonly location?: { readonly href?: string }
  readonly navigator?: { readonly hardwareConcurrency?: number }
  readonly Worker?: new (url: string) => BrowserWorker
  readonly Blob: new (parts: readonly string[], options: { readonly type: string }) => object
  readonly URL: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void }
}
const browser = globalThis as unknown as Browser

/** Starts workers from a page or from another worker. */
export function pageWorkers(): WorkerPlatform | undefined {
  const { Worker, Blob, URL, location, navigator } = browser
  if (Worker === undefined || location?.href === undefined) return undefined
  return {
    cores: navigator?.hardwareConcurrency ?? 1,
    start(text, heard, failed) {
      const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
      const worker = new Worker(url)
      worker.onmessage = ({ data }) => {
        URL.revokeObjectURL(url)
        heard(data)
      }
      worker.onmessageerror = failed
      worker.onerror = (event) => {
        event.preventDefault()
        failed()
      }
      return worker
    },
  }
}
