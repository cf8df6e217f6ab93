/** A site in a project of its own, whose compiled folders may be damaged, and the checks after a crash. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { EXIT } from '../../../../src/builder/commands/exit-codes.ts'
import { EMPTY_REPORT } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { copyCompiled } from '../sample-renderer.ts'
import { product, user, writeFolder } from '../documents.ts'
import { readFiles } from '../../run/files.ts'
import { spawn } from 'node:child_process'
import { collectOutput } from '../../../../scripts/measure/run-tool.ts'

type Documents = readonly SourceDocument[]
type Files = Readonly<Record<string, string>>

export interface CrashSite {
  readonly project: string
  path(...names: readonly string[]): string
  /** Fills the source with these documents. The output is the site of `OLD`; empty for `MANY`. */
  prepare(documents: Documents): Promise<void>
  rebuild(setup?: Partial<CrashSetup>): Promise<CrashRun>
  /** Lists the files that differ from a clean build of these documents. */
  findDifferences(documents: Documents): Promise<readonly string[]>
  /** Runs a normal rebuild and returns the problems: none if it succeeds with the site of a clean build. */
  runAgain(documents: Documents, setup?: Partial<CrashSetup>): Promise<readonly string[]>
}

const OLD: Documents = [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')]
export const NEW: Documents = [...OLD, product('tres', 'ana', { price: 5 })]
/** Enough pages to start a pool of threads. */
export const MANY: Documents = Array.from({ length: 220 }, (_, index) => product(`p${index}`, `s${index}`))

/** Call it at the top of a test file. */
export function useCrashSite(): CrashSite {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-crashes-'))
  const path = (...names: readonly string[]): string => join(folder, ...names)
  const project = path('project')
  const cleanSites = new Map<Documents, Files>()
  const rebuild = (setup: Partial<CrashSetup> = {}, output = 'dist', state = 'state'): Promise<CrashRun> => {
    const places = ['--source', path('source'), '--out', path(output), '--state', path(state)]
    return runBadly({ project, args: ['rebuild', ...places, '--json'], ...setup })
  }
  const buildClean = async (documents: Documents): Promise<Files> => {
    for (const name of ['clean', 'clean-state']) rmSync(path(name), { recursive: true, force: true })
    writeFolder(path('source'), documents)
    const { code, stderr } = await rebuild({}, 'clean', 'clean-state')
    expect(code, stderr).toBe(0)
    return readSite(path('clean'))
  }
  const readClean = async (documents: Documents): Promise<Files> => {
    const files = cleanSites.get(documents) ?? (await buildClean(documents))
    cleanSites.set(documents, files)
    return files
  }
  const findDifferences = async (documents: Documents): Promise<readonly string[]> => {
    const [site, clean] = [readSite(path('dist')), await readClean(documents)]
    const names = new Set([...Object.keys(site), ...Object.keys(clean)])
    return [...names].filter((name) => site[name] !== clean[name])
  }
  beforeAll(async () => {
    mkdirSync(project)
    await copyCompiled(project)
    writeFolder(path('source'), OLD)
    const { code, stderr } = await rebuild()
    expect(code, stderr).toBe(0)
    for (const name of ['dist', 'state']) cpSync(path(name), path('old', name), { recursive: true })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    project,
    path,
    prepare: async (documents) => {
      await readClean(documents)
      for (const name of ['dist', 'state']) {
        rmSync(path(name), { recursive: true, force: true })
        if (documents === NEW) cpSync(path('old', name), path(name), { recursive: true })
      }
      writeFolder(path('source'), documents)
    },
    rebuild,
    findDifferences,
    runAgain: async (documents, setup) => {
      const run = await rebuild(setup)
      const isWell = run.code === 0 && readReport(run)['exit'] === 0
      return [
        ...(isWell ? [] : [`exit code ${run.code}: ${run.stderr}`]),
        ...(await findDifferences(documents)),
      ]
    },
  }
}

// Omits the marker, which differs per run.
function readSite(output: string): Files {
  const { 'estado.json': _, ...files } = readFiles(output)
  return files
}

/** Returns the problems of the verdict of a run that had to fail. Its message must match `advice`. */
export function findFaults(run: CrashRun, advice: RegExp): readonly string[] {
  const report = readReport(run)
  const rules: readonly [boolean, string][] = [
    [run.code === EXIT.unfinished, `exit code ${run.code}`],
    [report['exit'] === run.code, `JSON tells another exit code: ${String(report['exit'])}`],
    [Object.keys(report).join() === Object.keys(EMPTY_REPORT).join(), `JSON of another shape: ${run.stdout}`],
    [advice.test(String(report['error'])) && advice.test(run.stderr), `no advice: ${run.stderr}`],
    [run.stdout.trim().split('\n').length === 1, `more than one verdict: ${run.stdout}`],
  ]
  return rules.filter(([isKept]) => !isKept).map(([, fault]) => fault)
}

export interface CrashSetup {
  readonly project: string
  /** The command with its options. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A module that every thread of the process loads first. */
  readonly preload?: string
  /** A bash script in which `"$@"` is the command. */
  readonly line?: string
}

export interface CrashRun {
  /** `null` when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Timeout after which a run counts as hanging, in milliseconds: shorter than that of a test, so that its output is shown. */
const PATIENCE = 500_000

/** The process inherits the rest of its environment from the test. */
export async function runBadly({ project, args, env, preload, line }: CrashSetup): Promise<CrashRun> {
  const preloads = preload === undefined ? [] : ['--import', preload]
  const command = [process.execPath, ...preloads, 'scripts/vitrina.mjs', ...args]
  const child = spawn('bash', ['-c', line ?? 'exec "$@"', 'bash', ...command], {
    cwd: project,
    env: { ...process.env, PHOTOS: 'off', PRODUCT_PAGES: 'off', ...env },
    timeout: PATIENCE,
  })
  return collectOutput(child)
}

/** Parses the last line of stdout. */
export function readReport({ stdout }: Pick<CrashRun, 'stdout'>): Record<string, unknown> {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
}
