/**
 * Ensures that the process, unless a signal ends it, exits with one of the codes in `EXIT` and, with `--json`, prints
 * its report as one line of JSON.
 */
import { writeSync } from 'node:fs'
import { toError } from '../../domain/documents/errors.ts'
import { EXIT } from './exit-codes.ts'

interface ProgramVerdict {
  /** Sets the exit code and, with `--json`, prints the report. Does not end the process. */
  give(exit: number, report: object): void
}

interface VerdictOptions {
  readonly isJson: boolean
  /** Prints an uncaught error and returns its report. */
  readonly onCrash: (error: Error) => object
}

/** A process that a signal ends in this way has a code above this one. */
const SIGNALLED = 128

const NEVER_ENDED =
  'the command ended early, because it waited for an answer that can no longer arrive. Run again: the next run repairs what this one left unfinished.'

/**
 * After this call, each crash ends the process with `EXIT.unfinished` and a report. An await that never settles counts
 * as a crash; otherwise Node would end the process with code 13, which `EXIT` does not have.
 */
export function watchForVerdict({ isJson, onCrash }: VerdictOptions): ProgramVerdict {
  let isGiven = false
  const give = (exit: number, report: object): void => {
    isGiven = true
    process.exitCode = exit
    if (isJson) writeLine(formatJson(report))
  }
  const crash = (error: unknown): void => give(EXIT.unfinished, onCrash(toError(error)))
  process.on('uncaughtException', (error) => {
    crash(error)
    process.exit()
  })
  process.on('exit', (code) => {
    if (!isGiven && code <= SIGNALLED) crash(new Error(NEVER_ENDED))
  })
  return { give }
}

// Writes synchronously, because asynchronous writes of an `exit` handler are lost.
function writeLine(line: string): void {
  // Queues the line if earlier lines are still buffered, so that they come first.
  if (process.stdout.writableLength > 0) return void process.stdout.write(`${line}\n`)
  let rest: Uint8Array = Buffer.from(`${line}\n`)
  while (rest.length > 0) rest = rest.subarray(writeSome(rest))
}

/** Returns the number of bytes that need no further write: 0 if the pipe is full, all if the pipe is closed. */
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

// Control characters and marks of text direction, which could change how a terminal shows the line.
const UNSEEN = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** Returns one line of JSON without invisible characters and commands of GitHub Actions, which are escaped. */
export function formatJson(report: object): string {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(report).replace(UNSEEN, escape).replaceAll('##[', '#\\u0023[')
}
