/** The probe's Durable Object: tests its database and its alarm, and stores the messages from the probe's queues. */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'

interface Noted {
  readonly body: string
  readonly attempts: number
  readonly isDead: number
}

type Sql = DurableObjectState['storage']['sql']

const TABLES = [
  'CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, body TEXT, attempts INTEGER, isDead INTEGER)',
  'CREATE TABLE IF NOT EXISTS alarms (number INTEGER PRIMARY KEY, late INTEGER)',
  'CREATE TABLE IF NOT EXISTS lines (number INTEGER PRIMARY KEY, text TEXT)',
]

// The options are those of the site's search index, except those about the table of documents, which the test does not
// have.
const INDEX = `CREATE VIRTUAL TABLE IF NOT EXISTS word_index USING fts5
  (words, content='', tokenize='ascii', prefix='1 2 3', detail=none, columnsize=0)`

/**
 * Delays of two alarms, in milliseconds. The first is due after `FAR`; the second, after `SOON`, replaces the first.
 */
const SOON = 1_000
const FAR = 3_600_000

export class ProbeObject extends DurableObject<unknown> {
  /** Random id of this instance. It changes when the object restarts. */
  readonly #life = crypto.randomUUID()
  readonly #sql: Sql
  #due = 0
  /** Rows written since the end of the previous call of `ask`. Each set alarm counts as a row. */
  #written = 0

  constructor(ctx: DurableObjectState, environment: unknown) {
    super(ctx, environment)
    this.#sql = ctx.storage.sql
    for (const table of TABLES) this.#read(table)
  }

  note(messages: readonly Noted[]): void {
    for (const { body, attempts, isDead } of messages)
      this.#read('INSERT INTO messages (body, attempts, isDead) VALUES (?, ?, ?)', body, attempts, isDead)
  }

  /** Runs the test `what`. `size` is a number of bytes, values or milliseconds, depending on the test. */
  async ask(
    what: string,
    size: number,
  ): Promise<{ readonly answer: unknown; readonly calls: number; readonly written: number }> {
    const asks: Readonly<Record<string, () => unknown>> = {
      life: () => ({ life: this.#life, lines: this.#read('SELECT number FROM lines').length }),
      messages: () => this.#read('SELECT body, attempts, isDead FROM messages ORDER BY number'),
      row: () => this.#keepRow(size),
      values: () => this.#attempt(`SELECT 1 WHERE 1 IN (${list(size)})`, ...count(size)),
      arguments: () => this.#attempt(`SELECT max(${list(size)})`, ...count(size)),
      statement: () => this.#attempt(`SELECT 1 -- ${'x'.repeat(size - 12)}`),
      pattern: () => this.#attempt(`SELECT 'a' GLOB '${'?'.repeat(size)}'`),
      search: () => this.#search(),
      json: () => this.#read("SELECT sum(value ->> 'n') AS sum FROM json_each(?)", '[{"n":1},{"n":2}]'),
      transaction: () => this.#rollBack(),
      hold: () => new Promise((resolve) => void setTimeout(resolve, size)),
      'set alarm': () => this.#setAlarm(),
      alarms: () => this.#read('SELECT late FROM alarms ORDER BY number'),
    }
    const answer = await asks[what]?.()
    const written = this.#written
    this.#written = 0
    return { answer, calls: 1, written }
  }

  /** Records the alarm. The first call then throws, to test that the runtime retries a failed alarm. */
  async alarm(): Promise<void> {
    this.#read('INSERT INTO alarms (late) VALUES (?)', this.#due === 0 ? 0 : Date.now() - this.#due)
    if (this.#read('SELECT number FROM alarms').length === 1)
      throw new Error('the first alarm fails on purpose, to test the retry')
  }

  async #setAlarm(): Promise<void> {
    this.#written += 2
    await this.ctx.storage.setAlarm(Date.now() + FAR)
    this.#due = Date.now() + SOON
    await this.ctx.storage.setAlarm(this.#due)
  }

  #keepRow(bytes: number): string {
    const problem = this.#attempt('INSERT INTO lines (text) VALUES (?)', 'x'.repeat(bytes))
    return problem === 'done' ? String(this.#length()) : problem
  }

  #length(): number {
    const [row] = this.#read('SELECT length(text) AS length FROM lines ORDER BY number DESC LIMIT 1')
    return Number((row as { length: number }).length)
  }

  #search(): unknown {
    this.#read('DROP TABLE IF EXISTS word_index')
    this.#read(INDEX)
    this.#read("INSERT INTO word_index (word_index, rank) VALUES ('automerge', 0), ('crisismerge', 1999)")
    const names = ['perfume azul', 'perfume rojo', 'per azul']
    names.forEach((words, index) =>
      this.#read('INSERT INTO word_index (rowid, words) VALUES (?, ?)', index + 1, words),
    )
    const find = (query: string): readonly unknown[] =>
      this.#read('SELECT rowid AS id FROM word_index WHERE word_index MATCH ? ORDER BY rowid', query).map(
        (row) => (row as { id: number }).id,
      )
    return { both: find('perfume AND azul'), beginning: find('per*'), none: find('fume') }
  }

  #rollBack(): unknown {
    const before = this.#read('SELECT number FROM lines').length
    try {
      this.ctx.storage.transactionSync(() => {
        this.#read("INSERT INTO lines (text) VALUES ('lost')")
        throw new Error('undone')
      })
    } catch {
      return { isUndone: this.#read('SELECT number FROM lines').length === before }
    }
    return null
  }

  #read(query: string, ...bindings: readonly (string | number)[]): readonly unknown[] {
    const cursor = this.#sql.exec(query, ...bindings)
    const rows = cursor.toArray()
    this.#written += cursor.rowsWritten ?? 0
    return rows
  }

  /** Returns `done`, or the error as text. */
  #attempt(query: string, ...bindings: readonly (string | number)[]): string {
    try {
      this.#read(query, ...bindings)
      return 'done'
    } catch (error) {
      return String(error)
    }
  }
}

function list(size: number): string {
  return Array.from({ length: size }, () => '?').join(', ')
}

function count(size: number): readonly number[] {
  return Array.from({ length: size }, (_, index) => index)
}
