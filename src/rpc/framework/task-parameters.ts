import { requireObject, requireString, requireUint32 } from '../../primitives/arguments.ts'

export interface TaskStatusParams {
  readonly task_id: number
  /**
   * Default true: the server forgets the task with its final answer, even if that answer is lost.
   */
  readonly forget_if_finished?: boolean
}

/** An answer to a device's question; `pin` by position on the pad 789/456/123. */
export type UserAction =
  | { readonly action_type: 'TrezorPin'; readonly pin: string }
  /** The passphrase is empty for the standard wallet. */
  | { readonly action_type: 'TrezorPassphrase'; readonly passphrase: string }

export interface TaskUserActionParams {
  readonly task_id: number
  readonly user_action: UserAction
}

export interface TaskCancelParams {
  readonly task_id: number
}

export function taskParams<Params extends { readonly task_id: number }>(params: Params): Params {
  requireUint32(params.task_id, 'task_id')
  return params
}

export function userActionParams(params: TaskUserActionParams): TaskUserActionParams {
  requireObject(params.user_action, 'user_action')
  requireString(secretOf(params.user_action), 'user_action')
  return taskParams(params)
}

/** Returns the text that the user typed, which no error may show. */
export function secretOf(action: UserAction): string {
  return action.action_type === 'TrezorPin' ? action.pin : action.passphrase
}
