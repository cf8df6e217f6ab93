/** `check`: types, lint, format, wings and rooms, side by side. */
import type { CommandDefinition, CommandResult, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { ASTRO, captureNode, OXLINT, PRETTIER, TSC } from '../../src/builder/commands/run-node.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { checkImports } from './check-imports.ts'

export interface Check {
  readonly name: string
  /** Returns what is wrong, in words; `null` when all is well. */
  find(): Promise<string | null>
}

const CHECKS: readonly Check[] = [
  { name: 'types', find: findTypeErrors },
  { name: 'lint', find: () => runTool([OXLINT, '--deny-warnings']) },
  { name: 'format', find: () => runTool([PRETTIER, '--check', '--log-level', 'warn', '.']) },
  { name: 'imports', find: async () => checkImports(ROOT).join('\n') || null },
]

export const command: CommandDefinition<object> = {
  configure: (parser) => void parser.addHelpText('after', formatExitCodes('done', 'attention')),
  parse: () => ({}),
  run: (_, terminal) => runChecks(CHECKS, terminal),
}

/** Prints what those find that fail. */
export async function runChecks(
  checks: readonly Check[],
  terminal: Pick<Terminal, 'warn'>,
): Promise<CommandResult> {
  const results = await Promise.all(checks.map((check) => runCheck(check, terminal)))
  return { exit: results.every((isWell) => isWell) ? EXIT.done : EXIT.attention }
}

/** Returns whether all is well. */
async function runCheck({ name, find }: Check, { warn }: Pick<Terminal, 'warn'>): Promise<boolean> {
  const wrong = await find()
  if (wrong !== null) warn(`${name}:\n${wrong}\n`)
  return wrong === null
}

// `astro check` could check all files, but is slower than the compiler. The compiler is second: it needs types that the
// former writes.
async function findTypeErrors(): Promise<string | null> {
  const inPages = await runTool([ASTRO, 'check', '--silent', '--tsconfig', 'tsconfig.astro.json'])
  const inCode = await runTool([TSC, '--noEmit', '--project', '.'])
  return [inPages, inCode].filter((found) => found !== null).join('\n') || null
}

async function runTool(args: readonly string[]): Promise<string | null> {
  const { code, output } = await captureNode(args)
  return code === 0 ? null : output.trim() || `${args.join(' ')} ended with exit code ${code}`
}
