/** The real builder in a child process, and its output. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { RebuildPlace } from './rebuild.ts'
import { ROOT } from './rebuild.ts'

const PATIENCE = 30_000

export class RunningBuilder {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown[]>
  /** Its whole output. */
  said = ''

  /** `port` 0 selects a free port. */
  constructor({ source, output, state, env = {} }: RebuildPlace, port = 0) {
    const places = ['--source', source, '--out', output, '--state', state]
    const args = ['scripts/vitrina.mjs', 'builder', '--served', ...places]
    this.#child = spawn(process.execPath, [...args, '--port', String(port)], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => (this.said += String(text)))
    this.#ended = once(this.#child, 'exit')
  }

  /** Resolves once the output contains `count` matches. */
  async waitFor(pattern: RegExp, count = 1): Promise<void> {
    const end = performance.now() + PATIENCE
    while (this.count(pattern) < count) {
      if (performance.now() > end) throw new Error(`the builder never printed ${pattern}:\n${this.said}`)
      await wait(10)
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
