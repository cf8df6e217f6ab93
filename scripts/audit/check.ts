/**
 * `check`: checks types, lint, format, imports and unused exports, in parallel. `format`: writes the tables of settings,
 * formats all files, and fixes findings of lint.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandDefinition, CommandResult, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { ASTRO, runNode } from '../../src/builder/commands/local/dev.ts'
import { hashBytes } from '../../src/builder/files/file-hashes.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { captureNode, KNIP, OXFMT, OXLINT, PRETTIER, TSC } from '../measure/run-tool.ts'
import { checkImports } from './code/check-imports.ts'
import { writeSettings } from './code/write-settings.ts'

interface Check {
  readonly name: string
  /** Returns the problems as text; `null` if there are none. */
  find(): Promise<string | null>
}

/** Commands that list wrongly formatted files. Oxfmt formats all languages of the project except Astro. */
const CHECK_FORMAT = [OXFMT, '--list-different']
const ASTRO_FILES = ['--plugin', 'prettier-plugin-astro', 'src/**/*.astro']
const CHECK_ASTRO_FORMAT = [PRETTIER, '--config', '.oxfmtrc.json', ...ASTRO_FILES, '--list-different']

const CHECKS: readonly Check[] = [
  { name: 'types', find: findTypeErrors },
  { name: 'lint', find: () => runTool([OXLINT, '--deny-warnings', '--threads', '1']) },
  { name: 'format', find: findFormatErrors },
  { name: 'imports', find: async () => checkImports(ROOT).join('\n') || null },
  { name: 'exports', find: () => runTool([KNIP, '--no-progress']) },
]

export const check: CommandDefinition<object> = {
  parse: () => ({}),
  run: (_, terminal) => runChecks(CHECKS, terminal),
}

export const format: CommandDefinition<object> = {
  parse: () => ({}),
  // The steps run one after the other, because they write the same files.
  run: async () => {
    const steps = [[OXFMT], [...CHECK_ASTRO_FORMAT, '--write'], [OXLINT, '--fix']]
    let exit: number = EXIT.done
    writeSettings()
    for (const step of steps) if ((await runNode(step)) !== 0) exit = EXIT.attention
    return { exit }
  },
}

/** Prints the result of each check when the check ends, with the problems found, and then one line for all checks. */
async function runChecks(
  checks: readonly Check[],
  { print, warn, progress }: Pick<Terminal, 'print' | 'warn' | 'progress'>,
): Promise<CommandResult> {
  const running = new Set(checks.map(({ name }) => name))
  const failed: string[] = []
  const showRunning = (): void => progress.update([...running].join(', '))
  const run = async ({ name, find }: Check): Promise<void> => {
    const wrong = await find()
    running.delete(name)
    showRunning()
    if (wrong === null) return print(`✓ ${name}`)
    failed.push(name)
    warn(`✗ ${name}:\n${wrong}\n`)
  }
  showRunning()
  await Promise.all(checks.map(run))
  progress.done('')
  if (failed.length === 0) print('All is well.')
  else warn(`${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}.`)
  return { exit: failed.length === 0 ? EXIT.done : EXIT.attention }
}

// `astro check` runs first, because it writes types that the compiler needs. It checks only the pages, because the
// compiler is faster for all other files.
async function findTypeErrors(): Promise<string | null> {
  const inPages = await runTool([ASTRO, 'check', '--silent', '--tsconfig', 'tsconfig.astro.json'])
  // On one thread and without garbage collection, `tsc` takes half its usual processor time, but 0.9 GB of memory. The
  // other checks use the other cores.
  const run = [TSC, '--noEmit', '--project', '.', '--singleThreaded', ...listKnownTypes()]
  const inCode = await runTool(run, { GOGC: 'off' })
  return [inPages, inCode].filter((found) => found !== null).join('\n') || null
}

/**
 * Returns compiler options for an incremental check. The name of the cache file depends on the lockfile, because
 * another version of a package may have other types.
 */
function listKnownTypes(): readonly string[] {
  const packages = hashBytes(readFileSync(join(ROOT, 'package-lock.json'))).slice(0, 16)
  const known = join(ROOT, 'node_modules/.cache/check', `${packages}.tsbuildinfo`)
  return ['--incremental', '--tsBuildInfoFile', known]
}

async function findFormatErrors(): Promise<string | null> {
  const found = await Promise.all([CHECK_FORMAT, CHECK_ASTRO_FORMAT].map((args) => runTool(args)))
  return found.filter((files) => files !== null).join('\n') || null
}

async function runTool(
  args: readonly string[],
  variables?: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { code, output } = await captureNode(args, variables)
  return code === 0 ? null : output.trim() || `${args.join(' ')} ended with exit code ${code}`
}
