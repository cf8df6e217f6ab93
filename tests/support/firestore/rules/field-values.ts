/** Values that Firestore's rules must permit for a field, and values that they must refuse. */
import type { DocumentField, DocumentFields } from '../../../../src/domain/documents/document-fields.ts'
import type { Fields } from './evaluate-rules.ts'

export interface FieldSample {
  /** The id of the document. */
  readonly id: string
  /** Its seller, and another one. */
  readonly owner: string
  readonly other: string
}

/** A value that stands for no field at all. */
const ABSENT = Symbol('absent')
const TEXTS = ['text', '']
const OTHERS = [{}, [], ['text'], new Date(0), new Uint8Array(1)]

interface Values {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
}

/** `sample` names what a field of an id may and may not name. */
export function listValues(field: DocumentField, sample: FieldSample): Values {
  switch (field.type) {
    case 'text':
      return { good: [ABSENT, null, '', fill(field.most)], bad: [fill(field.most + 1), 7, true, ...OTHERS] }
    case 'name':
      return {
        good: ['a', fill(field.most)],
        bad: [ABSENT, null, '', fill(field.most + 1), 7, true, { a: 1 }, ...OTHERS],
      }
    case 'phone': {
      const most = 10 ** field.mostDigits - 1
      const write = (length: number): string => `809${' '.repeat(length - 10)}5550100`
      return {
        good: [ABSENT, null, '', write(field.most), 1, most],
        bad: [write(field.most + 1), 0, -1, 8_095_550_100.5, most + 1, Number.NaN, true, ...OTHERS],
      }
    }
    case 'amount':
      return {
        good: [ABSENT, null, 0, 0.5, field.most],
        bad: [-1, -0.5, field.most + 1, Number.NaN, Infinity, -Infinity, true, ...TEXTS, ...OTHERS],
      }
    case 'flag':
      return { good: [ABSENT, null, true, false], bad: [0, 1, ...TEXTS, ...OTHERS] }
    case 'map':
      return listMaps(field.fields, sample)
    case 'id':
      return { good: [ABSENT, sample.id], bad: [null, 'another-id', 7, ...OTHERS] }
    case 'owner':
      return {
        good: [{ id: sample.owner }],
        bad: [
          ABSENT,
          null,
          sample.owner,
          { id: sample.other },
          { id: null },
          { id: sample.owner, name: 'Ana' },
          ...OTHERS,
        ],
      }
  }
}

function listMaps(fields: DocumentFields, sample: FieldSample): Values {
  const all = Object.entries(fields).map(([name, field]) => ({ name, ...listValues(field, sample) }))
  const full = Object.fromEntries(all.map(({ name, good }) => [name, good.at(-1)]))
  const create = (name: string, value: unknown): Fields => replace(full, name, value)
  return {
    good: [ABSENT, null, {}, ...all.flatMap(({ name, good }) => good.map((value) => create(name, value)))],
    bad: [
      7,
      true,
      'text',
      [],
      new Date(0),
      { ...full, unknown: 1 },
      ...all.flatMap(({ name, bad }) => bad.map((value) => create(name, value))),
    ],
  }
}

/** A path of the site's own, so that it may be a photo too. */
function fill(length: number): string {
  return `/${'a'.repeat(length - 1)}`
}

/** Without the field for `ABSENT`. */
export function replace(fields: Fields, name: string, value: unknown): Fields {
  const { [name]: _, ...others } = fields
  return value === ABSENT ? others : { ...others, [name]: value }
}
