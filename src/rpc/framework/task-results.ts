import * as v from 'valibot'
import { isJsonObject, type JsonValue } from '../../primitives/json.ts'
import { count, type Open, optional, type Schema, text } from '../fields.ts'

export const taskId: Schema<{ readonly task_id: number }> = v.looseObject({ task_id: count })

/** The step of an activation; servers may have more names. */
export type InProgressName =
  | 'ActivatingCoin'
  | 'RequestingWalletBalance'
  | 'Finishing'
  | 'WaitingForTrezorToConnect'
  | 'FollowHwDeviceInstructions'
  // Any other name. The form keeps completion of the known ones.
  | (string & {})

/** A name, or one with data: `SyncingBlockHeaders`, `TemporaryError`, … */
export type InProgressDetails =
  | InProgressName
  | {
      readonly SyncingBlockHeaders: {
        readonly current_scanned_block: number
        readonly last_block: number
      }
    }
  | { readonly TemporaryError: string }
  | { readonly [name: string]: unknown }

/** The input that the device requests. */
export type UserActionNeed = 'EnterTrezorPin' | 'EnterTrezorPassphrase' | (string & {})

/** The error of a failed task. */
export interface TaskErrorDetails extends Open {
  readonly error: string
  readonly error_type: string
  readonly error_data?: unknown
  readonly error_path?: string
  readonly error_trace?: string
}

/** One answer of a task's status method. */
export type TaskStatus<T = unknown> =
  | { readonly status: 'Ok'; readonly details: T }
  | { readonly status: 'Error'; readonly details: TaskErrorDetails }
  | { readonly status: 'InProgress'; readonly details: InProgressDetails }
  | { readonly status: 'UserActionRequired'; readonly details: UserActionNeed }

const inProgressDetails: Schema<InProgressDetails> = v.lazy((value) =>
  typeof value === 'string'
    ? text
    : v.looseObject({
        SyncingBlockHeaders: v.exactOptional(
          v.looseObject({ current_scanned_block: count, last_block: count }),
        ),
      }),
) as Schema<InProgressDetails>

const taskErrorDetails = v.looseObject({
  error: text,
  error_type: text,
  error_path: optional(text),
  error_trace: optional(text),
})

/** Returns the schema of a status whose result has the schema `details`. */
export function taskStatus<T>(details: Schema<T>): Schema<TaskStatus<T>> {
  return v.variant('status', [
    v.object({ status: v.literal('Ok'), details: unwrapped(details) }),
    v.object({ status: v.literal('Error'), details: unwrapped(taskErrorDetails) }),
    v.object({ status: v.literal('InProgress'), details: inProgressDetails }),
    v.object({ status: v.literal('UserActionRequired'), details: text }),
  ]) as unknown as Schema<TaskStatus<T>>
}

/** Accepts the documentation's form too, in which another `result` wraps the details. */
function unwrapped<T>(details: Schema<T>): Schema<T> {
  return v.pipe(
    v.unknown(),
    v.transform((value) => {
      const inner = isJsonObject(value as JsonValue) ? (value as Open).result : undefined
      return isJsonObject(inner as JsonValue) ? inner : value
    }),
    details,
  )
}
