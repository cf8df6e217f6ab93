/**
 * Reads the state of a database's files without a lock, so that the writes of other programs are not delayed. The
 * journal and the write-ahead log are beside the real file, even if `path` is a symbolic link.
 */
import type { BigIntStats } from 'node:fs'
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'

/** Length of the header and offsets in it, in bytes. Source: https://sqlite.org/fileformat2.html#the_database_header */
const HEADER = 100
const WRITE_VERSION = 18
const CHANGE_COUNTER = 24
const SCHEMA_COOKIE = 40

/**
 * First bytes, in hex, of the journal of an unfinished transaction. Source:
 * https://sqlite.org/fileformat2.html#the_rollback_journal
 */
const JOURNAL_MAGIC = 'd9d505f920a163d7'

export interface FileStamp {
  readonly identity: string
  /** Changes with every change of tables, indexes and triggers. */
  readonly schema: number
  /** Changes with every commit. */
  readonly content: string
  /** Changes with every write to the file or to its write-ahead log, committed or not. */
  readonly version: string
  /**
   * True if there is a write-ahead log that is not empty. The latest changes may be in it, and readers and writers do
   * not wait for each other.
   */
  readonly hasLog: boolean
}

/**
 * Throws if the file cannot be read. Do not call this while a connection of this process holds a lock on the file:
 * closing any descriptor of a file releases all locks of the process on that file. Use `readOpenStamp` then.
 */
export function readStamp(path: string): FileStamp {
  const file = openSync(path, 'r')
  try {
    return readOpenStamp(path, file)
  } finally {
    closeSync(file)
  }
}

/** `file` is an open file descriptor of the file at `path`. */
export function readOpenStamp(path: string, file: number): FileStamp {
  const header = readBytes(file, HEADER)
  const stats = fstatSync(file, { bigint: true })
  const { ino, mtimeNs, size } = stats
  const log = statSync(`${realpathSync(path)}-wal`, { bigint: true, throwIfNoEntry: false })
  const hasLog = log !== undefined && log.size > 0n
  const logVersion = hasLog ? `${log.size}/${log.mtimeNs}` : ''
  const counter = header.readUInt32BE(CHANGE_COUNTER)
  // Adds the file's time and the log's size and time, because a commit to a write-ahead log does not always change the
  // counter.
  const content = header[WRITE_VERSION] === 2 ? `${counter}/${mtimeNs}/${logVersion}` : String(counter)
  return {
    identity: formatIdentity(stats),
    schema: header.readUInt32BE(SCHEMA_COOKIE),
    content,
    version: `${ino}/${size}/${mtimeNs}/${header.toString('hex')}/${logVersion}`,
    hasLog,
  }
}

/** Includes the time of creation, because a new file or folder may get the inode of a removed one. */
export function formatIdentity({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}/${ino}/${birthtimeNs}`
}

/**
 * Returns whether a rollback journal shows that another program is writing, or was killed during a write. Throws if
 * there is no file at `path`.
 */
export function isBeingWritten(path: string): boolean {
  const journal = `${realpathSync(path)}-journal`
  if (statSync(journal, { throwIfNoEntry: false }) === undefined) return false
  try {
    const file = openSync(journal, 'r')
    try {
      return readBytes(file, JOURNAL_MAGIC.length / 2).toString('hex') === JOURNAL_MAGIC
    } finally {
      closeSync(file)
    }
  } catch {
    // The journal cannot be read. If it no longer exists, its transaction has ended. If it still exists, it counts as a
    // write in progress, and SQLite reports the error when it opens the database.
    return statSync(journal, { throwIfNoEntry: false }) !== undefined
  }
}

/** Reads bytes from the beginning of the file. Bytes after its end are zeros. */
function readBytes(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, 0)
  return bytes
}
