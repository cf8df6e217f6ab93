/** `npm run deploy -- [options]`: puts the site live, puts the previous version back, or releases publishing. */
import { existsSync } from 'node:fs'
import { cleanText } from '../../../domain/documents/text.ts'
import { createRedactor } from '../../publish/redact.ts'
import { createProgress } from '../progress.ts'
import { performDeploy } from './deploy-actions.ts'
import { parseDeployOptions } from './deploy-options.ts'

const EXIT = { done: 0, failed: 1, usage: 2, busy: 5 } as const
const CODES: Readonly<Record<string, number>> = { UsageError: EXIT.usage, BusyError: EXIT.busy }

const args = process.argv.slice(2)
const isJson = args.includes('--json')
const progress = createProgress('deploy')

process.exitCode = await run()

async function run(): Promise<number> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    const options = parseDeployOptions(args, process.env)
    if (options === null) return EXIT.done
    const { lines, ...result } = await performDeploy(options, progress.update)
    progress.done('')
    for (const line of lines) (isJson ? console.error : console.log)(line)
    if (isJson) console.log(JSON.stringify({ exit: EXIT.done, ...result, error: null }))
    return EXIT.done
  } catch (error) {
    return tellError(error instanceof Error ? error : new Error(String(error)))
  }
}

function tellError({ name, message }: Error): number {
  const exit = CODES[name] ?? EXIT.failed
  const text = createRedactor(process.env)(message).split('\n').map(cleanText).join('\n')
  progress.fail(`${text}${exit === EXIT.usage ? ' (--help tells how to use it)' : ''}`)
  if (isJson) console.log(JSON.stringify({ exit, action: null, version: null, sequence: null, error: text }))
  return exit
}
