/** A site in a project of its own, whose compiled folders may be damaged, and the checks after a crash. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { EXIT } from '../../../../src/builder/commands/exit-codes.ts'
import { EMPTY_REPORT } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { CrashRun, CrashSetup } from './crash-run.ts'
import { readReport, runBadly } from './crash-run.ts'
import { copyCompiled } from '../sample-renderer.ts'
import { product, user, writeFolder } from '../documents.ts'
import { readFiles } from '../../run/files.ts'

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
