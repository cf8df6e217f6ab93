/** Opens the record's file. */
import { openDatabase } from '../sqlite/open-database.ts'
import { readTogether } from '../sqlite/transactions.ts'
import type { SiteRecord } from './record.ts'
import { createRecordFiles } from './record-files.ts'
import { createRecordDurability, createRecordMeta } from './record-meta.ts'
import { RECORD_SCHEMA } from './record-schema.ts'

export function openRecord(file: string): SiteRecord {
  const database = openDatabase(file, RECORD_SCHEMA)
  return {
    ...createRecordFiles(database),
    ...createRecordMeta(database),
    ...createRecordDurability(database),
    readTogether: (work) => readTogether(database, work),
    close: () => database.close(),
  }
}
