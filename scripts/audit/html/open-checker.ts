/** Opens the Nu HTML checker, a Java program in an npm package that is installed on demand. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Tool } from '../../measure/install-tool.ts'
import { installTool } from '../../measure/install-tool.ts'
import { UsageError } from '../../../src/builder/state/usage-error.ts'

/** An error or a warning. */
export interface CheckerMessage {
  readonly file: string
  readonly line: number
  readonly text: string
}

export interface Checker {
  check(files: readonly string[]): Promise<readonly CheckerMessage[]>
}

interface Output {
  readonly messages: readonly {
    readonly url?: string
    readonly lastLine?: number
    readonly message: string
  }[]
}

const JAR = 'build/dist/vnu.jar'
const OPTIONS = ['--stdout', '--format', 'json', '--exit-zero-always', '--skip-info-messages']
/** Max bytes of output. */
const MAX_OUTPUT = 2 ** 28

// Without this role, Safari does not announce a list whose markers are off. Source: https://webkit.org/b/170179
const IGNORED = 'The “list” role is unnecessary for element “ul”.'

const run = promisify(execFile)

/** Throws a `UsageError` when there is no Java. */
export async function openChecker(
  tool: Tool,
  progress: (text: string) => void,
  java = 'java',
): Promise<Checker> {
  await requireJava(java)
  const jar = join(await installTool(tool, progress), JAR)
  return {
    check: async (files) => {
      const { stdout } = await run(java, ['-jar', jar, ...OPTIONS, ...files], { maxBuffer: MAX_OUTPUT })
      return readMessages(stdout)
    },
  }
}

/** Parses the output of the checker; leaves out what is ignored. */
export function readMessages(output: string): readonly CheckerMessage[] {
  const { messages }: Output = JSON.parse(output)
  return messages
    .filter(({ message }) => message !== IGNORED)
    .map(({ url, lastLine = 0, message }) => ({
      file: url === undefined ? '' : fileURLToPath(url),
      line: lastLine,
      text: message,
    }))
}

async function requireJava(java: string): Promise<void> {
  try {
    await run(java, ['-version'])
  } catch (cause) {
    const advice = 'Install it (Debian: apt-get install default-jre-headless), then run again.'
    throw new UsageError(`The Nu HTML checker needs Java 17 or newer. ${advice}`, { cause })
  }
}
