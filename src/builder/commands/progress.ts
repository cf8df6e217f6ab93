/** Tells on stderr how a long task goes: a spinner in a terminal, elsewhere a line now and then. */
import type { Ora } from 'ora'

/** Exactly one of `done` and `fail` ends it; an empty text ends it without a word. */
export interface Progress {
  update(text: string): void
  done(text: string): void
  fail(text: string): void
}

/** Where the output is kept, a line for each change would bury the rest. In milliseconds. */
const PAUSE = 2_000

type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export function createProgress(label: string, stream: Terminal = process.stderr): Progress {
  // In a terminal of no width (a pseudo terminal that nobody has sized) ora 9.4 clears lines without end.
  const canSpin = stream.isTTY === true && stream.columns !== 0
  return canSpin ? createSpinner(label, stream) : createLines(label, stream)
}

function createLines(label: string, stream: Terminal): Progress {
  let last = performance.now()
  const end = (text: string): void => {
    if (text !== '') stream.write(`${label}: ${text}\n`)
  }
  return {
    update: (text) => {
      if (performance.now() - last < PAUSE) return
      last = performance.now()
      stream.write(`${label}: ${text}\n`)
    },
    done: end,
    fail: end,
  }
}

// The spinner comes with the first news, once it is loaded: a task that has none, or ends before, never has one.
function createSpinner(label: string, stream: Terminal): Progress {
  let text = label
  let ended = false
  let loading: Promise<void> | null = null
  let spinner: Ora | null = null
  const load = async (): Promise<void> => {
    const { default: ora } = await import('ora')
    // Left to itself ora takes the terminal's input, and Ctrl-C with it.
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
