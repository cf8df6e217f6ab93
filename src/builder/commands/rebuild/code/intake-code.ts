/** The code that turns documents into the snapshot's entries. Bundled only to be hashed, never run. */
export { openSource } from '../../../sources/source-kinds.ts'
export { createApply } from '../../../state/snapshot/apply-documents.ts'
export { SNAPSHOT_SCHEMA } from '../../../state/snapshot/snapshot-schema.ts'
