/** Mistakes around stored pages: in the order of seeing, reading and putting, in the cache, in the outbox. */
import type { Mutation } from '../mutation.ts'

const DELIVER = 'src/builder/publish/objects/deliver-objects.ts'
const PUSH = 'src/edge/pages/push-objects.ts'
const CACHED = 'src/edge/pages/serve-cached.ts'
const PUT = 'await host.store.put(key, parts.bytes, { seen, notes: parts.notes })'
const TELL = 'const { objects: tags } = await delivery.readTags({ names })'
const READ = 'const read = await delivery.readObjects(names)'

export const EDGE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'put an object whichever one is there',
    file: PUSH,
    text: PUT,
    broken: PUT.replace('seen,', 'seen: (await host.store.head(key))?.tag ?? null,'),
    catchers: ['edge'],
  },
  {
    name: 'see an object after its data was read',
    file: DELIVER,
    text: `${TELL}\n  ${READ}`,
    broken: `${READ}\n  ${TELL}`,
    catchers: ['edge'],
  },
  {
    name: 'put no data that is the same',
    file: PUSH,
    text: `const tag = ${PUT}`,
    broken: `const held = await host.store.head(key)
  if (held?.tag === seen && held?.notes['digest'] === parts.notes['digest'])
    return leave({ name, outcome: 'stored', tag: held.tag, version: version - 1 })
  const tag = ${PUT}`,
    catchers: ['edge'],
  },
  {
    name: 'forget an object that another builder was faster to put',
    file: 'src/builder/publish/objects/tally.ts',
    text: "(outcome === 'stored' ? done : left)",
    broken: "(outcome === 'stored' || outcome === 'beaten' ? done : left)",
    catchers: ['edge'],
  },
  {
    name: 'leave no tombstone where there was no object',
    file: DELIVER,
    text: 'createObjects(tags, read)',
    broken: `createObjects(
    tags.filter(({ name, tag }) => tag !== null || read(name) !== null || void delivery.outbox.forget([name])), read)`,
    catchers: ['edge'],
  },
  {
    name: 'leave the objects of sellers that are gone',
    file: 'src/builder/publish/objects/compare-objects.ts',
    text: 'for (const { name, tag } of tags.readUnseen()) yield { name, tag, data: null }',
    broken: '',
    catchers: ['edge'],
  },
  {
    name: 'write back what a view has read',
    file: 'src/edge/pages/serve-page.ts',
    text: 'return viewObject(found',
    broken: `if (found !== null) await world.store.put(found.key, found.bytes, { seen: found.tag, notes: found.notes })
        return viewObject(found`,
    catchers: ['edge'],
  },
  {
    name: 'count the age of an entry from the end of its read',
    file: CACHED,
    text: 'cache.keep(address, { begun, content }, later)',
    broken: 'cache.keep(address, { begun: now(), content }, later)',
    catchers: ['edge'],
  },
  {
    name: 'answer that there is no page while the store fails',
    file: CACHED,
    text: 'LONGEST_AGE * 1_000) ? held.content : null',
    broken: "LONGEST_AGE * 1_000) ? held.content : { kind: 'none' }",
    catchers: ['edge'],
  },
  {
    name: 'take objects from the outbox before they are put',
    file: DELIVER,
    text: TELL,
    broken: `delivery.outbox.forget(names)\n  ${TELL}`,
    catchers: ['edge'],
  },
  {
    name: 'render an object again over one that is newer',
    file: 'src/edge/pages/refill-part.ts',
    text: '{ seen: seen.tag, notes: parts.notes }',
    broken: '{ seen: (await host.store.head(key))?.tag ?? null, notes: parts.notes }',
    catchers: ['edge'],
  },
]
