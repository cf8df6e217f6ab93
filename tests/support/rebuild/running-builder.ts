/** The real builder in a child process, and its output. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { RebuildPlace } from './rebuild.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

/** A little shorter than a test may take, so that an output that lacks something is shown. */
const PATIENCE = 500_000

export class BuilderProcess {
  readonly #child: ChildProcess
  readonly #output = new EventEmitter()
  readonly #ended: Promise<unknown[]>
  /** Its whole output. */
  said = ''

  constructor({ source, output, state, env = {} }: RebuildPlace) {
    const places = ['--source', source, '--out', output, '--state', state]
    const args = ['scripts/vitrina.mjs', 'builder', ...places]
    this.#child = spawn(process.execPath, [...args, '--port', '0'], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.said += String(text)
        this.#output.emit('text')
      })
    this.#ended = once(this.#child, 'close')
  }

  /** Resolves once the output contains `count` matches. */
  async waitFor(pattern: RegExp, count = 1): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE)
    while (this.count(pattern) < count) {
      await Promise.race([once(this.#output, 'text', { signal }), this.#ended]).catch(() => {})
      // A builder that a signal has ended has no exit code.
      const { exitCode, signalCode } = this.#child
      const hasEnded = signal.aborted || exitCode !== null || signalCode !== null
      if (hasEnded && this.count(pattern) < count)
        throw new Error(`the builder never printed ${pattern}:\n${this.said}`)
    }
  }

  count(pattern: RegExp): number {
    return this.said.match(new RegExp(pattern, 'g'))?.length ?? 0
  }

  async findUrl(): Promise<string> {
    await this.waitFor(/listens on http:\S+/)
    return /listens on (http:\S+)/.exec(this.said)?.[1] ?? ''
  }

  /** Resolves to the exit code. */
  async end(signal: NodeJS.Signals): Promise<unknown> {
    this.#child.kill(signal)
    return (await this.#ended)[0]
  }
}
