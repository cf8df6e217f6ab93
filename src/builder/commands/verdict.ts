/** The end of a process: whatever happens, its exit code is of the table, and with `--json` the last line is JSON. */
import { writeSync } from 'node:fs'
import { EXIT } from './exit-codes.ts'

export interface Verdict {
  /** Says how it ended; the process ends by itself when nothing is left to do. */
  give(exit: number, report: object): void
}

export interface VerdictOptions {
  readonly isJson: boolean
  /** Says what went wrong where nobody catches it, and returns the report of it. */
  readonly onCrash: (error: Error) => object
}

const NEVER_ENDED =
  'it waited for something that never came, and nothing was left to do. Run again: the next run repairs what this one left.'

/** From here on no crash looks like success, also one that only stops (Node's own exit code is 13 then). */
export function watchForVerdict({ isJson, onCrash }: VerdictOptions): Verdict {
  let isGiven = false
  const give = (exit: number, report: object): void => {
    isGiven = true
    process.exitCode = exit
    if (isJson) writeLine(formatJson(report))
  }
  const crash = (error: unknown): void =>
    give(EXIT.unfinished, onCrash(error instanceof Error ? error : new Error(String(error))))
  process.on('uncaughtException', (error) => {
    crash(error)
    process.exit()
  })
  process.on('exit', () => {
    if (!isGiven) crash(new Error(NEVER_ENDED))
  })
  // Somebody may stop reading what is printed (`| head`): the work goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return { give }
}

// At once, since nothing that an `exit` handler leaves for later is written.
function writeLine(line: string): void {
  // What was printed before and still waits for a slow reader comes first.
  if (process.stdout.writableLength > 0) return void process.stdout.write(`${line}\n`)
  let rest: Uint8Array = Buffer.from(`${line}\n`)
  while (rest.length > 0) rest = rest.subarray(writeSome(rest))
}

/** Returns how many bytes need not be written any more: a full pipe takes some, and one that nobody reads none. */
function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(process.stdout.fd, bytes)
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    if (!isFull) return bytes.length
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return 0
  }
}

// Control characters and marks that turn text around: harmless to programs, not to the terminal that shows the line.
const UNSEEN = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** One line of JSON. */
export function formatJson(report: object): string {
  return JSON.stringify(report).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
