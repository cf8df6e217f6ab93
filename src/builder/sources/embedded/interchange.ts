/**
 * Copies documents between a folder and an embedded database as a stream, so that only the disk limits their number.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Collection, Problem } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { createEmbedded } from './embedded-create.ts'
import { openEmbedded } from './embedded.ts'
import { formatFileName } from '../folder/folder-line.ts'
import { openFolder } from '../folder/folder.ts'
import { loadFolder } from './load-folder.ts'
import type { Differences } from './merge-database.ts'
import { mergeDatabase } from './merge-database.ts'
import { isTemporary, nameTemporary, RefusedError, writeNewFile } from './new-file.ts'
import type { ReadySource } from '../source.ts'
import { ReadAgainError, SourceError } from '../source.ts'
import type { TransferOptions, TransferTotals } from '../transfer-count.ts'
import { createTransferCount } from '../transfer-count.ts'
import { writeDocuments } from './write-documents.ts'

/**
 * Says what happens to an existing file. `create` refuses it. `merge` inserts missing documents and updates those that
 * differ. `replace` also removes documents that the folder does not have.
 */
export type ImportMode = 'create' | 'merge' | 'replace'

interface ImportOptions extends TransferOptions {
  readonly mode?: ImportMode
}

export type ImportSummary = TransferTotals & Differences

const CHOICES = 'name another file, or say with --merge or --replace what to do with this one'

/** Imports the documents of a folder. If it rejects, the documents of `file` are unchanged. */
export async function importFolder(
  folder: string,
  file: string,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const { mode = 'create' } = options
  if (mode === 'create' && existsSync(file)) throw new RefusedError(`${file} exists already: ${CHOICES}`)
  if (!existsSync(file)) {
    const { documents, problems } = await importNew(folder, file, options)
    return { documents, problems, inserted: documents, updated: 0, removed: 0 }
  }
  openEmbedded(file).close()
  const staged = nameTemporary(file)
  try {
    const { documents, problems } = await importNew(folder, staged, options)
    requireDocuments(folder, documents)
    return { documents, problems, ...mergeDatabase(file, staged, mode === 'replace') }
  } finally {
    rmSync(staged, { force: true })
  }
}

/** Rejects with a `RefusedError` if the folder holds anything but an earlier export, complete or interrupted. */
export async function exportDatabase(
  file: string,
  folder: string,
  options: TransferOptions = {},
): Promise<TransferTotals> {
  const source = openEmbedded(file)
  try {
    requireRoom(folder)
    for (;;) {
      const summary = await writeFolder(source, folder, options).catch(ignoreChange)
      if (summary !== null) return summary
    }
  } finally {
    source.close()
  }
}

// Both files are complete before either is renamed, so that a failed read changes neither.
async function writeFolder(
  source: ReadySource,
  folder: string,
  { progress, report }: TransferOptions,
): Promise<TransferTotals> {
  const problems: Problem[] = []
  const tally = createTransferCount({ progress, report: (problem) => void problems.push(problem) })
  const find = (collection: Collection): string => join(folder, formatFileName(collection))
  await writeNewFile(find('users'), (users) =>
    writeNewFile(find('cataloge'), async (cataloge) => {
      await writeDocuments(source.readAll(), { users, cataloge }, tally)
      source.confirm()
    }),
  )
  for (const problem of problems) report?.(problem)
  return tally.read()
}

/** Returns `null` for a `ReadAgainError`, so that the caller retries. Rethrows any other error. */
function ignoreChange(error: unknown): null {
  if (error instanceof ReadAgainError) return null
  throw error
}

async function importNew(folder: string, file: string, options: ImportOptions): Promise<TransferTotals> {
  const source = openFolder(folder)
  const tally = createTransferCount(options)
  await createEmbedded(file, (database) => loadFolder(source, database, tally))
  return tally.read()
}

function requireDocuments(folder: string, documents: number): void {
  if (documents > 0) return
  throw new SourceError(`the folder ${folder} holds no document that can be read: nothing was changed`)
}

function requireRoom(folder: string): void {
  const own = COLLECTIONS.map(formatFileName)
  const isOwn = (name: string): boolean => own.some((file) => name === file || isTemporary(file, name))
  const foreign = existsSync(folder) ? readdirSync(folder).find((name) => !isOwn(name)) : undefined
  if (foreign === undefined) return
  throw new RefusedError(`the folder ${folder} holds other files (${foreign}): name an empty or a new one`)
}
