/** Mistakes in locks, and in what a run trusts of an earlier one: links, markers, the picture store, the disk. */
import type { Mutation } from '../mutation.ts'

const PROTOCOL = 'src/builder/rebuild/protocol.ts'
const PREPARE = 'src/builder/rebuild/prepare-rebuild.ts'
const LOCK_FOLDERS = 'src/builder/state/lock-folders.ts'
const REBUILD = 'tests/builder/rebuild/rebuild.test.ts'
const LOST = 'tests/builder/rebuild/lost-and-restored.test.ts'
const POWER_CUT = 'tests/builder/rebuild/power-cut.test.ts'
const LOSSY_DISK = 'tests/builder/rebuild/lossy-disk.test.ts'

export const TRUST_MUTATIONS: readonly Mutation[] = [
  {
    name: 'leave the output folder unlocked',
    file: LOCK_FOLDERS,
    text: '{ file: outputLock, folder: output },',
    broken: '',
    catchers: ['tests/builder/state/lock-folders.test.ts'],
  },
  {
    name: 'leave the state folder unlocked',
    file: LOCK_FOLDERS,
    text: "{ file: join(state, 'lock.sqlite'), folder: state },",
    broken: '',
    catchers: ['tests/builder/state/lock-folders.test.ts'],
  },
  {
    name: 'let two hold one lock',
    file: 'src/builder/state/sqlite/lock.ts',
    text: 'PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE',
    broken: 'PRAGMA journal_mode = MEMORY; BEGIN',
    catchers: ['tests/builder/state/sqlite/lock.test.ts'],
  },
  {
    name: 'take any snapshot for that of the record',
    file: PROTOCOL,
    text: 'return record.readLinks().includes(snapshot.readLink())',
    broken: 'return record.readLinks().length >= 0 || snapshot.readLink() !== undefined',
    catchers: [LOST],
  },
  {
    name: 'keep the link while everything is checked',
    file: PROTOCOL,
    text: 'if (isWhole) world.record.writeLinks([])\n    else writeLink(world, run)',
    broken: 'writeLink(world, run)',
    catchers: ['tests/builder/rebuild/crash.test.ts'],
  },
  {
    name: 'trust any marker in the output folder',
    file: 'src/builder/state/output/output-identity.ts',
    text: "record.readMarkers().includes(marker) ? 'trusted' : 'other'",
    broken: "record.readMarkers().length < 0 ? 'other' : 'trusted'",
    catchers: [LOST],
  },
  {
    name: 'change a foreign folder',
    file: 'src/builder/state/output/output-identity.ts',
    text: "return holdsHome(output, record) ? 'other' : 'foreign'",
    broken: "return holdsHome(output, record) ? 'other' : 'empty'",
    catchers: [REBUILD],
  },
  {
    name: 'write through a link in the output folder',
    file: 'src/builder/state/output/cage.ts',
    text: "return found.isDirectory() && found.dev === device ? 'folder' : 'other'",
    broken: "return 'folder'",
    catchers: ['tests/builder/state/output/output.test.ts'],
  },
  {
    name: 'leave the paths out of the digest of the marker',
    file: 'src/builder/state/record/record-digest.ts',
    text: 'hashBytes(`${digest} ${path}`)',
    broken: 'hashBytes(`${digest} ${path.length * 0}`)',
    catchers: ['tests/builder/state/record/record-digest.test.ts'],
  },
  {
    name: 'leave replaced files in the digest of the marker',
    file: 'src/builder/state/record/record-digest.ts',
    text: 'for (const part of taken) sum += MODULUS - hashPart(part)',
    broken: '',
    catchers: ['tests/builder/state/record/record-digest.test.ts'],
  },
  {
    name: 'take any picture store for the one that pages were made from',
    file: PREPARE,
    text: 'return known !== null && known.identity === identity && known.sequence <= sequence',
    broken: 'return known === null || identity !== undefined || sequence >= 0',
    catchers: ['tests/builder/pictures/rebuild-photos.test.ts'],
  },
  {
    name: 'ignore that the machine was started again',
    file: PROTOCOL,
    text: "if (!isAfterBoot(durability, boot)) return 'none'",
    broken: "if (durability !== undefined || boot === '') return 'none'",
    catchers: [POWER_CUT, LOSSY_DISK, 'power'],
  },
  {
    name: 'trust a run that was interrupted before the machine was started again',
    file: PROTOCOL,
    text: "if (durability?.state !== 'listed') return 'all'",
    broken: '',
    catchers: [POWER_CUT, LOSSY_DISK],
  },
  {
    name: 'list no file that was not forced to the disk',
    file: PROTOCOL,
    text: 'add: isSynced ? [] : touched',
    broken: 'add: []',
    catchers: [POWER_CUT, LOSSY_DISK],
  },
  {
    name: 'trust the files of an interrupted run after the next',
    file: PROTOCOL,
    text: "state: isKnown ? 'listed' : 'unknown'",
    broken: "state: 'listed'",
    catchers: [POWER_CUT, LOSSY_DISK],
  },
  {
    name: 'force no file to the disk',
    file: 'src/builder/state/output/changed-files.ts',
    text: 'if (touched.size <= MOST_SYNCED) sync(partial)',
    broken: '',
    catchers: ['power'],
  },
  {
    name: 'take an error of the snapshot for one of the source',
    file: 'src/builder/rebuild/read-whole.ts',
    text: 'throw comparison?.readError() ?? error',
    broken: 'throw error',
    catchers: [REBUILD],
  },
  {
    name: 'take damage of the state for a failure of the page',
    file: 'src/builder/rebuild/render-page.ts',
    text: 'if (isDamage(error)) throw error',
    broken: '',
    catchers: [REBUILD],
  },
  {
    name: 'open a database of which the end is missing',
    file: 'src/builder/state/sqlite/open-database.ts',
    text: ' && isWhole(database, file)',
    broken: '',
    catchers: ['tests/builder/state/sqlite/open.test.ts'],
  },
  {
    name: 'verify without a look at the state itself',
    file: 'src/builder/commands/rebuild/open-world.ts',
    text: 'options.isVerify && removeDamaged(folder).length > 0',
    broken: 'false',
    catchers: [REBUILD],
  },
  {
    name: 'verify without a look at the bytes of files',
    file: 'src/builder/rebuild/file-reader.ts',
    text: 'bytes === null || hashBytes(bytes) !== digest',
    broken: "bytes === null || digest === ''",
    catchers: [REBUILD],
  },
  {
    name: 'leave out files that a thread cannot read',
    file: 'src/builder/rebuild/file-reader.ts',
    text: '} catch {\n        return here.check(...task)',
    broken: '} catch {\n        return []',
    catchers: ['tests/builder/rebuild/file-reader.test.ts'],
  },
  {
    name: 'trust the references that a verify found before it changed files',
    file: 'src/builder/rebuild/rebuild.ts',
    text: 'references === null || !isTouched',
    broken: 'references === null || isTouched !== null',
    catchers: ['tests/builder/rebuild/rebuild-steps.test.ts'],
  },
  {
    name: 'let a page change what Astro has prepared for the next one',
    file: 'src/builder/renderer/prepared-routes.ts',
    text: 'const own = copyResult(result)',
    broken: 'const own = result',
    catchers: ['tests/builder/rebuild/code-change.test.ts'],
  },
]
