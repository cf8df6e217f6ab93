/** Runs the real rebuild command in a child process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { VITRINA } from '../../../src/builder/commands/run-node.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

export interface BuilderRun {
  /** Where the site and the state are. */
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
  readonly options: readonly string[]
  /** Called for each report of a rebuild that was delivered. */
  readonly onReport?: () => void
}

export interface RunningBuilder {
  /** Rejects if it fails. */
  readonly ended: Promise<void>
  /** Returns what it said, for a message. */
  readOutput(): string
  stop(): Promise<void>
}

export function runBuilder({ folder, settings, options, onReport = () => {} }: BuilderRun): RunningBuilder {
  const folders = ['--out', join(folder, 'dist'), '--state', join(folder, 'state')]
  const child = spawn(process.execPath, [VITRINA, 'rebuild', '--json', ...folders, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (text) => said.push(String(text)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { exit, error, delivery } = JSON.parse(line) as Report
    if (exit !== 0) said.push(`${String(error)}\n`)
    else if (delivery !== undefined) onReport()
  })
  const readOutput = (): string => said.join('').trim().slice(-2_000)
  const exited = once(child, 'exit')
  const ended = exited.then(([code]) => {
    if (code !== 0) throw new Error(`rebuild failed: ${readOutput()}`)
  })
  ended.catch(() => {})
  return {
    ended,
    readOutput,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}

interface Report {
  readonly exit: number
  readonly error: string | null
  readonly delivery?: object
}
