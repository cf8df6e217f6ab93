/** Mistakes in what a run reads and keeps of the source. */
import type { Mutation } from '../mutation.ts'

export const READ_MUTATIONS: readonly Mutation[] = [
  {
    name: 'ignore that a product moved',
    file: 'src/builder/state/snapshot/apply-documents.ts',
    text: 'old.id IS NULL OR old.seller <> new.seller OR',
    broken: 'old.id IS NULL OR',
    catchers: ['equivalence', 'tests/builder/state/snapshot/snapshot.test.ts'],
  },
  {
    name: 'ignore that a profile or product is gone',
    file: 'src/builder/state/snapshot/apply-documents.ts',
    text: 'const DROP_PARTIAL = `${IN_SCOPE} AND ${NOT_INCOMING}`',
    broken: 'const DROP_PARTIAL = `${IN_SCOPE} AND ${NOT_INCOMING} AND 0`',
    catchers: ['tests/builder/state/snapshot/random-reads.test.ts'],
  },
  {
    name: 'ignore that only the number for orders changed',
    file: 'functions/firestore-trigger/src/find-sellers.ts',
    text: "['fName', 'lName', 'whatsapp'] as const",
    broken: "['fName', 'lName'] as const",
    catchers: ['tests/functions/find-sellers.test.ts'],
  },
  {
    name: 'keep what other code made of the documents',
    file: 'src/builder/rebuild/read-source.ts',
    text: "if (position.intake !== intake) return 'the code that reads documents changed'",
    broken: '',
    catchers: ['equivalence'],
  },
  {
    name: 'give the code from documents to entries a constant hash',
    file: 'src/builder/commands/rebuild/code-hashes.ts',
    text: 'intake: hashBytes(`${intake.code} ${readRuntime()}`)',
    broken: "intake: 'intake'",
    catchers: ['tests/builder/commands/code-hashes.test.ts'],
  },
  {
    name: 'take another source for the same',
    file: 'src/builder/rebuild/read-source.ts',
    text: "if (position.source !== source.label) return 'another source than last time'",
    broken: '',
    catchers: ['tests/builder/rebuild/firestore.test.ts'],
  },
  {
    name: 'skip other changes after a read of named sellers',
    file: 'src/builder/rebuild/read-source.ts',
    text: 'scope.isCatchingUp ? source.readCursor() : (position?.cursor ?? null)',
    broken: 'source.readCursor()',
    catchers: ['equivalence'],
  },
  {
    name: 'never move the cursor of the change log',
    file: 'src/builder/rebuild/read-source.ts',
    text: 'scope.isCatchingUp ? source.readCursor() : (position?.cursor ?? null)',
    broken: 'position?.cursor ?? null',
    catchers: ['tests/builder/rebuild/rebuild.test.ts'],
  },
  {
    name: 'trust a change log with another nonce',
    file: 'src/builder/sources/embedded/embedded-changes.ts',
    text: "database.prepare(AT).get(sequence)?.['nonce'] !== nonce",
    broken: 'database.prepare(AT).get(sequence) === undefined',
    catchers: ['tests/builder/sources/embedded-changes.test.ts'],
  },
  {
    name: 'trust a silent change log though the database changed',
    file: 'src/builder/sources/embedded/embedded-changes.ts',
    text: 'if (isSilent && stamp.content !== cursor.content)',
    broken: 'if (isSilent && stamp.content === null)',
    catchers: ['tests/builder/sources/embedded-changes.test.ts'],
  },
  {
    name: 'accept an empty source',
    file: 'src/builder/rebuild/shrink-guard.ts',
    text: 'if (after.sellers === 0)',
    broken: 'if (after.sellers < 0)',
    catchers: ['tests/builder/rebuild/rebuild.test.ts'],
  },
  {
    name: 'forget what the site held when the snapshot is lost',
    file: 'src/builder/rebuild/read-documents.ts',
    text: 'const held = record.readTotals() ?? countPages(output)',
    broken: 'const held = change.before',
    catchers: ['tests/builder/rebuild/lost-and-restored.test.ts'],
  },
]
