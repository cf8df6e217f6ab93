/**
 * Shows progress on stderr: a spinner if the terminal can show one, otherwise lines, with at least two seconds between
 * updates.
 */
import type { Ora } from 'ora'
import { breakCommands } from './log-line.ts'

/**
 * Progress of one task. `done` and `fail` end it, and print their text unless it is empty. After the end, another
 * `done` with an empty text has no effect.
 */
export interface Progress {
  update(text: string): void
  done(text: string): void
  fail(text: string): void
}

interface TerminalStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  /** Returns false if `NO_COLOR` is set or the terminal cannot move its cursor. */
  hasColors?(): boolean
}

/** Min time between lines, in milliseconds: a log of every update would bury other lines. */
const PAUSE = 2_000

export function createProgress(label: string, stream: TerminalStream = process.stderr): Progress {
  // Shows no spinner in a pseudo terminal without a size (0 columns), where ora 9.4 would clear lines in an endless
  // loop. Asks `hasColors`, because ora ignores `NO_COLOR`.
  const canSpin = stream.isTTY === true && stream.columns !== 0 && stream.hasColors?.() === true
  const { update, done, fail } = canSpin ? createSpinner(label, stream) : createLines(label, stream)
  return {
    update: (text) => update(breakCommands(text)),
    done: (text) => done(breakCommands(text)),
    fail: (text) => fail(breakCommands(text)),
  }
}

function createLines(label: string, stream: TerminalStream): Progress {
  const start = performance.now()
  let last = start
  let held = ''
  const write = (text: string): void => {
    held = ''
    if (text !== '') stream.write(`${label}: ${text}\n`)
  }
  // If a line was printed before, also prints an update that was held back, so that the log of a long task ends with
  // the task's final state and its result.
  const end = (text: string): void => {
    if (last > start) write(held)
    write(text)
  }
  return {
    update: (text) => {
      held = text
      if (performance.now() - last < PAUSE) return
      last = performance.now()
      write(text)
    },
    done: end,
    fail: end,
  }
}

// ora is loaded at the first update. A task that has no update, or ends before ora is loaded, shows no spinner.
function createSpinner(label: string, stream: TerminalStream): Progress {
  let text = label
  let ended = false
  let loading: Promise<void> | null = null
  let spinner: Ora | null = null
  const load = async (): Promise<void> => {
    const { default: ora } = await import('ora')
    // `discardStdin: false`, because ora would otherwise switch the terminal to raw mode, in which Ctrl-C arrives as
    // input and not as a signal.
    if (!ended) spinner = ora({ text, stream, discardStdin: false }).start()
  }
  const end = (mark: string, last: string): void => {
    ended = true
    if (last === '') spinner?.stop()
    else if (spinner === null) stream.write(`${mark} ${label}: ${last}\n`)
    else spinner.stopAndPersist({ symbol: mark, text: `${label}: ${last}` })
  }
  return {
    update: (news) => {
      text = `${label}: ${news}`
      loading ??= load()
      if (spinner !== null) spinner.text = text
    },
    done: (last) => end('✔', last),
    fail: (last) => end('✖', last),
  }
}
