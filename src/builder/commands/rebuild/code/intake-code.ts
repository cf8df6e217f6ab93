/** The code that turns documents into the snapshot's entries. An entry for the bundler, never imported. */
export { openSource } from '../../../sources/source-kinds.ts'
export { createApply } from '../../../state/snapshot/apply-documents.ts'
export { SNAPSHOT_SCHEMA } from '../../../state/snapshot/snapshot-schema.ts'
