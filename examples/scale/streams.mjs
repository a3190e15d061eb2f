// The three streams that all programs of this example share.

import {
  AckPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

export const consumer = 'workers'

const second = 1e9

/**
 * Connects, and makes the streams that do not exist.
 *
 * @param {{ ackWaitSeconds?: number }} options how long a worker may be silent about a case
 */
export async function open({ ackWaitSeconds = Number(process.env.ACK_WAIT_SECONDS ?? 30) } = {}) {
  const connection = await connect({ servers: process.env.NATS_URL ?? 'nats://127.0.0.1:4222' })
  const manager = await jetstreamManager(connection)
  const storage = StorageType.File
  // Cases go when they are answered; one that is published twice within two hours is one.
  await ensure(manager, {
    name: 'CASES',
    subjects: ['cases.*'],
    retention: RetentionPolicy.Workqueue,
    duplicate_window: 7200 * second,
    storage,
  })
  await ensure(manager, { name: 'REPORTS', subjects: ['reports.*'], storage })
  await ensure(manager, { name: 'DEAD', subjects: ['dead.*'], storage })
  await manager.consumers.add('CASES', {
    durable_name: consumer,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ackWaitSeconds * second,
    max_ack_pending: 10_000,
  })
  return { connection, manager, stream: jetstream(connection) }
}

async function ensure(manager, config) {
  try {
    await manager.streams.add(config)
  } catch (error) {
    // Another program was first.
    await manager.streams.info(config.name).catch(() => Promise.reject(error))
  }
}

/**
 * Returns true if a stream already has a message under this subject, so that it is not written
 * again.
 */
export function isKnown(error) {
  // nats-server errors.json, JSStreamWrongLastSequenceErrF
  return error?.code === 10071 || error?.api_error?.err_code === 10071
}
