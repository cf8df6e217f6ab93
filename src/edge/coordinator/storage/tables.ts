/**
 * The coordinator's tables. Cloudflare bills each row and each index entry that is written, so an index holds only the
 * rows that it is there for. Triggers keep the counts, row by row: nothing is counted by hand or by a scan.
 */
import { OPEN } from '../feed-row.ts'
import { DIMENSIONS } from '../objects/object-row.ts'

/** Sellers with more changes in an hour are listed as changing often. */
export const OFTEN = 12

const PHASES = OPEN.map((phase) => `'${phase}'`).join(', ')

/** `builder`: the change if a builder is to show it, else 0. */
const FEED = `
CREATE TABLE IF NOT EXISTS feed (
  seller TEXT PRIMARY KEY, changed INTEGER NOT NULL, done INTEGER NOT NULL, last INTEGER NOT NULL, recent REAL NOT NULL,
  phase TEXT, at INTEGER NOT NULL, kind TEXT, first INTEGER NOT NULL, shown INTEGER, latency INTEGER, silent INTEGER NOT NULL, value TEXT,
  stranger INTEGER, absent INTEGER,
  open INTEGER AS (phase IS NOT NULL AND phase IN (${PHASES})),
  builder INTEGER AS (CASE WHEN changed > done AND (phase IS NULL OR phase = 'large') THEN changed ELSE 0 END)
) STRICT, WITHOUT ROWID`

/** A loss and a refused removal are JSON. `until`: until when a removal is allowed, 0 while it is refused. */
const OBJECTS = `
CREATE TABLE IF NOT EXISTS objects (
  name TEXT PRIMARY KEY, version INTEGER NOT NULL, bucket INTEGER NOT NULL, updated TEXT NOT NULL,
  ${DIMENSIONS.map((one) => `${one} INTEGER NOT NULL`).join(', ')},
  since INTEGER, loss TEXT, until INTEGER, removal TEXT,
  ${DIMENSIONS.map(
    (one) => `
  before_${one} INTEGER AS (coalesce(loss ->> '$.before.${one}', ${one})),
  lost_${one} INTEGER AS (coalesce(loss ->> '$.lost.${one}', 0))`,
  ).join(',')}
) STRICT, WITHOUT ROWID`

/** The contribution of a row to each count. */
const FEED_COUNTS: Triggers['counts'] = {
  due: (row) => `(${row}.builder > published)`,
  later: (row) => `(${row}.builder > claimed)`,
  waiting: (row) => `${row}.open`,
  ...Object.fromEntries(
    ['failed', 'held', 'large', 'broken'].map((kind) => [
      kind,
      (row: string) => `(${row}.kind IS '${kind}')`,
    ]),
  ),
}

const OBJECT_COUNTS: Triggers['counts'] = {
  refusals: (row) => `(${row}.until IS 0)`,
  ...Object.fromEntries(
    ['', 'before_', 'lost_'].flatMap((part) =>
      DIMENSIONS.map((one) => [`all_${part}${one}`, (row: string) => `${row}.${part}${one}`]),
    ),
  ),
}

const COUNTS = [...Object.keys(FEED_COUNTS), ...Object.keys(OBJECT_COUNTS)]

const STANDING = `
CREATE TABLE IF NOT EXISTS standing (
  only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL, last INTEGER NOT NULL, published INTEGER NOT NULL,
  claimed INTEGER NOT NULL, noticed INTEGER NOT NULL DEFAULT 0, put INTEGER NOT NULL DEFAULT 0,
  ${COUNTS.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`).join(', ')}) STRICT`

interface Triggers {
  /** The columns that a count depends on. */
  readonly columns: string
  readonly counts: Readonly<Record<string, (row: string) => string>>
  /** Columns of the standing that hold the greatest value of a column of the table. */
  readonly greatest: Readonly<Record<string, string>>
}

/** Nothing is written if no count changes. */
function createTriggers(table: string, { columns, counts, greatest }: Triggers): readonly string[] {
  const create = (event: string, before: string | null, after: string | null): string => {
    const parts = Object.entries(counts).map(([name, count]) => {
      const [old, next] = [before, after].map((row) => (row === null ? '0' : count(row)))
      return { set: `${name} = ${name} + ${next} - ${old}`, when: `${next} <> ${old}` }
    })
    const later = Object.entries(after === null ? {} : greatest).map(([name, column]) => ({
      set: `${name} = max(${name}, ifnull(${after}.${column}, 0))`,
      when: `ifnull(${after}.${column}, 0) > ${name}`,
    }))
    const all = [...parts, ...later]
    return `CREATE TRIGGER IF NOT EXISTS ${table}_${event.slice(0, 6).toLowerCase()} AFTER ${event} ON ${table} BEGIN
      UPDATE standing SET ${all.map(({ set }) => set).join(', ')} WHERE ${all.map(({ when }) => when).join(' OR ')}; END`
  }
  return [
    create('INSERT', null, 'NEW'),
    create(`UPDATE OF ${columns}`, 'OLD', 'NEW'),
    create('DELETE', 'OLD', null),
  ]
}

export const TABLES = [
  STANDING,
  FEED,
  OBJECTS,
  'CREATE TABLE IF NOT EXISTS deliveries (day INTEGER, id TEXT, PRIMARY KEY (day, id)) STRICT, WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, value TEXT NOT NULL) STRICT',
  'CREATE INDEX IF NOT EXISTS feed_by_change ON feed (changed)',
  'CREATE INDEX IF NOT EXISTS feed_by_phase ON feed (phase, at) WHERE phase IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_set_back ON feed (kind, first) WHERE kind IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_silent ON feed (silent) WHERE silent > 0',
  `CREATE INDEX IF NOT EXISTS feed_often ON feed (changed) WHERE recent > ${OFTEN}`,
  'CREATE INDEX IF NOT EXISTS feed_strangers ON feed (stranger) WHERE stranger IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS feed_absent ON feed (absent) WHERE absent IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS objects_by_bucket ON objects (bucket, name) WHERE sellers > 0',
  'CREATE INDEX IF NOT EXISTS objects_lost ON objects (since) WHERE since IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS objects_refused ON objects (until) WHERE until IS NOT NULL',
  ...createTriggers('feed', {
    columns: 'changed, done, phase, kind, shown',
    counts: FEED_COUNTS,
    greatest: { last: 'changed', noticed: 'last', put: 'shown' },
  }),
  ...createTriggers('objects', {
    columns: `${DIMENSIONS.join(', ')}, loss, until`,
    counts: OBJECT_COUNTS,
    greatest: {},
  }),
] as const
