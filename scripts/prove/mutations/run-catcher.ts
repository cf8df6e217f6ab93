/** Runs a catcher (a proof or a test file) on a copy of the project that has one mutation, or none. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectOutput } from '../../measure/run-tool.ts'
import { copyCompiledProject, WITH_TESTS } from '../../measure/copy-project.ts'
import { copyVariantStores } from '../site/variants.ts'
import type { Mutation, Proof } from './mutation.ts'
import { breakProject } from './mutation.ts'

/** Options that make each proof long enough to detect its mutations. A proof ends at the first difference. */
const SIZES: Readonly<Record<Proof, readonly string[]>> = {
  equivalence: ['--sequences', '150', '--seed', '1', '--shrink', '0'],
  crash: ['--kills', '800', '--steps', '100', '--seed', '1'],
  faults: [],
  power: ['--cuts', '200', '--seed', '1', '--window', '8'],
  coordinator: ['--stories', '10000', '--seed', '1', '--shrink', '0'],
  edge: ['--memory', '--histories', '3000', '--seed', '1', '--shrink', '0'],
  hostile: ['--runs', '60', '--documents', '2000', '--seed', '1', '--shrink', '0'],
  search: ['--stories', '150', '--edits', '60', '--seed', '1', '--shrink', '0'],
}

interface CatcherVerdict {
  readonly isCaught: boolean
  /** Whether the catcher found nothing wrong. */
  readonly isGreen: boolean
  /** Output of the proof or the test, from the reported difference or the first failed test on, if there is one. */
  readonly words: string
}

/** Without a mutation (`null`), the verdict shows whether the catcher fails anyway, and so would catch everything. */
export async function runCatcher(mutation: Mutation | null, catcher: string): Promise<CatcherVerdict> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-broken-'))
  try {
    copyCompiledProject(folder, WITH_TESTS)
    if (mutation !== null) breakProject(folder, mutation)
    return isProof(catcher) ? await runProof(folder, catcher) : await runTest(folder, catcher)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function isProof(catcher: string): catcher is Proof {
  return Object.hasOwn(SIZES, catcher)
}

async function runProof(folder: string, proof: Proof): Promise<CatcherVerdict> {
  const { exit, words } = await run(folder, ['scripts/vitrina.mjs', `prove:${proof}`, ...SIZES[proof]])
  const [, story = words] = words.split(/: a difference[^\n]*:\n/)
  const isCaught = exit === 1 && words.includes(': a difference')
  return { isCaught, isGreen: exit === 0, words: story.trim() }
}

async function runTest(folder: string, file: string): Promise<CatcherVerdict> {
  const flags = ['--config', 'tests/vitest.config.ts', '--project', 'node', '--bail', '1']
  const { exit, words } = await run(folder, ['node_modules/vitest/vitest.mjs', 'run', ...flags, file])
  const failure = words.slice(Math.max(0, words.indexOf(' FAIL ')))
  const isCaught = exit === 1 && /Tests .*\d+ failed/.test(words)
  return { isCaught, isGreen: exit === 0, words: failure.trim() }
}

async function run(cwd: string, args: readonly string[]): Promise<{ exit: number | null; words: string }> {
  // Proofs reuse compiled code that they find in the temporary folder, so the code compiled so far is copied there.
  const temporary = join(cwd, '.vitrina/temporary')
  mkdirSync(temporary, { recursive: true })
  copyVariantStores(temporary)
  const env = { ...process.env, TMPDIR: temporary, NO_COLOR: '1' }
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { code: exit, stdout, stderr } = await collectOutput(child)
  return { exit, words: stdout + stderr }
}
