// A journal of payments in PostgreSQL. The primary key is the lock: of two processes that append at
// one position, the database stores one, and the other reads again before it decides.

// In a project of your own: from 'antara-tx/journal'.
import { AntaraError } from '../../dist/journal/index.js'

const schema = `
  create table if not exists payment_journal (
    journal text not null,
    position bigint not null check (position > 0),
    -- Bytes, because a text of PostgreSQL cannot hold every character.
    record bytea not null,
    primary key (journal, position)
  )`

/**
 * Opens the journal with a name; every process that pays from the same keys uses the same name.
 *
 * @param pool - a `pg.Pool`, which stays the caller's
 * @param name - one for each chain and wallet
 * @returns a `Journal` of antara-tx/journal
 */
export async function postgresJournal(pool, name) {
  // Two processes that start at once: the loser finds the table there.
  await pool.query(schema).catch((error) => {
    if (error.code !== '23505' && error.code !== '42P07') throw error
  })
  let isClosed = false
  const query = (text, values) => {
    if (isClosed) throw new AntaraError('journal_closed', { path: name })
    return pool.query(text, [name, ...values])
  }
  return {
    async read(after) {
      requirePosition(after)
      const { rows } = await query(
        `select record from payment_journal
         where journal = $1 and position > $2 order by position`,
        [after],
      )
      return rows.map(({ record }) => record.toString('utf8'))
    },
    async append(position, text) {
      requirePosition(position)
      if (typeof text !== 'string' || !text.isWellFormed()) {
        throw new TypeError('text: expected a string without lone surrogates')
      }
      // An answer means that the commit is on the disk (synchronous_commit, which is on by default).
      // If it is lost, this rejects, and the caller reads again.
      const { rowCount } = await query(
        `insert into payment_journal (journal, position, record)
         select $1, $2::bigint, $3::bytea
         where $2::bigint = 1 + (
           select coalesce(max(position), 0) from payment_journal where journal = $1)
         on conflict do nothing`,
        [position, Buffer.from(text, 'utf8')],
      )
      return rowCount === 1
    },
    async close() {
      isClosed = true
    },
  }
}

function requirePosition(value) {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw new TypeError('expected a whole number from 0')
}
