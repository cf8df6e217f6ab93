/** Runs a command line as a person types it, in the given folder and environment. */
import { stripVTControlCharacters } from 'node:util'
import { runGroup } from '../fakes/run-group.ts'
import type { ReadSigns } from './patience.ts'
import { awaitWork, createPatience } from './patience.ts'

export interface Said {
  readonly line: string
  readonly code: number | null
  readonly text: string
  readonly ms: number
}

interface ShellOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Text for the command's standard input. */
  readonly input: string
  /** Aborting it ends the command. */
  readonly end: AbortSignal
  /** Returns signs of progress other than output. A command that shows no progress for too long is ended. */
  readonly readSigns: ReadSigns
}

export async function runLine(
  line: string,
  { folder, environment, input, end, readSigns }: ShellOptions,
): Promise<Said> {
  const start = performance.now()
  const hang = new AbortController()
  let text = ''
  const running = runGroup(line, {
    folder,
    environment,
    flags: ['--norc'],
    input,
    end: AbortSignal.any([end, hang.signal]),
    onText: (part) => void (text += part),
  })
  const look = createPatience(() => `${text.length} ${readSigns()}`)
  try {
    const { code } = await awaitWork(running, `\`${line}\` has ended`, look)
    return { line, code, text: clean(text), ms: performance.now() - start }
  } catch (cause) {
    hang.abort()
    await running
    throw new Error(`${String(cause)}. The command's output was:\n${clean(text)}`, { cause })
  }
}

/**
 * Removes the terminal's control codes, npm's warnings and notices, and the lines in which npm repeats the script that
 * it runs.
 */
function clean(text: string): string {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines
    .filter((line) => !/^(npm (warn|notice)|> )/.test(line))
    .join('\n')
    .trim()
}
