import type { DaemonMethods } from '../daemon/methods.ts'

/** The methods by which a daemon builds a transaction that a flow verifies and sends. */
type BuildMethod = {
  readonly [Method in keyof DaemonMethods]: DaemonMethods[Method]['result'] extends {
    readonly hex: string
  }
    ? Method
    : never
}[keyof DaemonMethods]

/** A call by which a daemon builds a transaction. Its parameters are positional. */
export interface BuildCall {
  readonly name: BuildMethod
  readonly params: readonly unknown[]
}
