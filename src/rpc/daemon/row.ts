import type { Schema } from '../fields.ts'
import { type ReplySize, replyBytesMax } from '../reply-sizes.ts'
import type { Safety } from '../retry.ts'
import type { Parameter } from './parameter.ts'

/** A method: the safety of a repetition, its parameters in the wire's order, and its result. */
export interface Row<Params, Result> {
  readonly safety: Safety
  readonly params: { readonly [Name in Exclude<keyof Params, 'hexstring'>]-?: Parameter }
  /** A function where the result depends on the parameters. */
  readonly result: Schema<Result> | ((params: readonly unknown[]) => Schema<Result>)
  /** Largest reply in bytes; a function where it depends on the parameters. */
  readonly replyBytesMax: number | ((params: readonly unknown[]) => number)
  /** Converts the parameters, for methods that do not send them one after the other. */
  readonly wire?: (params: Params, written: Written) => readonly unknown[]
}

/** Parameters by name, as they are sent. */
export type Written = Readonly<Record<string, unknown>>

type MethodTypes = { readonly params: object; readonly result: unknown }

/** A row for each method of a family. */
export type Rows<Methods extends { readonly [Method in keyof Methods]: MethodTypes }> = {
  readonly [Method in keyof Methods]: Row<Methods[Method]['params'], Methods[Method]['result']>
}

/** Makes a row. The `wire` is that of {@link Row}. */
export function row<Params, Result>(
  safety: Safety,
  size: ReplySize,
  result: Schema<Result>,
  params: Row<Params, Result>['params'],
  wire?: Row<NoInfer<Params>, Result>['wire'],
): Row<Params, Result> {
  return { safety, params, result, replyBytesMax: replyBytesMax[size], ...(wire && { wire }) }
}

/** Returns the positional parameters without absent ones at the end. */
export function positional(
  written: Written,
  parameters: Readonly<Record<string, Parameter>>,
): readonly unknown[] {
  const names = Object.keys(parameters)
  const length = names.findLastIndex((name) => written[name] !== undefined) + 1
  return names.slice(0, length).map((name) => written[name] ?? parameters[name]?.otherwise)
}
