/** Firestore's rules: who may write what, and that they have the fields and bounds of `DOCUMENT_FIELDS`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DocumentFields } from '../../src/domain/documents/document-fields.ts'
import { DOCUMENT_FIELDS } from '../../src/domain/documents/document-fields.ts'
import type { Collection, Problem } from '../../src/domain/documents/document.ts'
import { COLLECTIONS } from '../../src/domain/documents/document.ts'
import { USUAL_ID } from '../../src/domain/documents/page-id.ts'
import { parseDocument } from '../../src/domain/documents/parse-document.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import type { Fields, RulesRequest } from '../support/firestore/rules/evaluate-rules.ts'
import { isAllowed } from '../support/firestore/rules/evaluate-rules.ts'
import type { RuleMatch } from '../support/firestore/rules/parse-rules.ts'
import { parseRules } from '../support/firestore/rules/parse-rules.ts'
import type { FieldSample } from '../support/firestore/rules/field-values.ts'
import { listValues, replace } from '../support/firestore/rules/field-values.ts'
import { varyRules } from '../support/firestore/rules/vary-rules.ts'

/** Fields that the sellers' app writes and the site does not read. */
const APP_FIELDS: Readonly<Record<Collection, DocumentFields>> = { users: {}, cataloge: {} }

const FOLDER = join(ROOT, 'functions/firestore-trigger')
const rules = parseRules(readFileSync(join(FOLDER, 'firestore.rules'), 'utf8'))

const [ANA, EVA] = ['ana-Q2xh7_', 'eva-88dks']
const ID = 'producto-1'
const PATHS = { users: `users/${ANA}`, cataloge: `cataloge/${ID}` } as const

const USER: Fields = { fName: 'Ana', lName: 'Núñez', whatsapp: '809 555 0100' }
const OFFER = { price: 1_300, available: true }
const PRODUCT: Fields = {
  id: ID,
  name: 'Agua de Colonia',
  photo: 'https://a.example/agua.jpg',
  ...OFFER,
  owner: { id: ANA },
  _5ml: OFFER,
  _10ml: OFFER,
}
const DOCUMENTS = { users: USER, cataloge: PRODUCT } as const
const SAMPLE: FieldSample = { owner: ANA, other: EVA, id: ID }
const OF_EVA = { ...PRODUCT, owner: { id: EVA } }

interface Case extends RulesRequest {
  readonly isGood: boolean
}

function createCase(isGood: boolean, request: Partial<Case> & Pick<Case, 'method' | 'path'>): Case {
  return { uid: ANA, before: null, after: null, isGood, ...request }
}

/** A document with each good and each bad value of each field, as a new one and as an update. */
function listWrites(collection: Collection): readonly Case[] {
  const [path, document] = [PATHS[collection], DOCUMENTS[collection]]
  const write = (isGood: boolean, after: Fields): readonly Case[] => [
    createCase(isGood, { method: 'create', path, after }),
    createCase(isGood, { method: 'update', path, before: document, after }),
  ]
  const fields = { ...DOCUMENT_FIELDS[collection], ...APP_FIELDS[collection] }
  const each = Object.entries(fields).flatMap(([name, field]) => {
    const { good, bad } = listValues(field, SAMPLE)
    return [
      ...good.flatMap((value) => write(true, replace(document, name, value))),
      ...bad.flatMap((value) => write(false, replace(document, name, value))),
    ]
  })
  return [...each, ...write(false, { ...document, unknown: 1 })]
}

const NOBODY = [null, EVA] as const

function listOwned(collection: Collection): readonly Case[] {
  const [path, document] = [PATHS[collection], DOCUMENTS[collection]]
  const requests = [
    { method: 'get', path, before: document },
    { method: 'list', path, before: document },
    { method: 'create', path, after: document },
    { method: 'update', path, before: document, after: document },
    { method: 'delete', path, before: document },
  ] as const
  return requests.flatMap((request) => [
    createCase(true, request),
    ...NOBODY.map((uid) => createCase(false, { ...request, uid })),
  ])
}

/** A new owner may not be given, nor another's product be taken. */
const MOVES: readonly Case[] = [
  createCase(false, { method: 'update', path: PATHS.cataloge, before: PRODUCT, after: OF_EVA }),
  createCase(false, { method: 'update', path: PATHS.cataloge, before: OF_EVA, after: PRODUCT }),
  ...(['get', 'list', 'delete'] as const).map((method) =>
    createCase(false, {
      method,
      path: PATHS.cataloge,
      before: { ...PRODUCT, owner: { id: null } },
      uid: null,
    }),
  ),
]

const LENGTHS = /\{(\d+),(\d+)\}/.exec(USUAL_ID)?.slice(1).map(Number) ?? []
const [SHORTEST = 0, LONGEST = 0] = LENGTHS

const IDS: readonly Case[] = [
  ...[SHORTEST, LONGEST].map((length) => [true, 'a'.repeat(length)] as const),
  ...['a'.repeat(SHORTEST - 1), 'a'.repeat(LONGEST + 1)].map((id) => [false, id] as const),
  ...['página-1', 'index.html', 'with space', '<b>bold'].map((id) => [false, id] as const),
].map(([isGood, id]) =>
  createCase(isGood, { method: 'create', path: `cataloge/${id}`, after: { ...PRODUCT, id } }),
)

const MARKED = { ...USER, verified: true }

/** The maintainers' mark. */
const MARKS: readonly Case[] = [
  [false, null, MARKED],
  [false, null, { ...USER, verified: null }],
  [false, USER, MARKED],
  [false, MARKED, USER],
  [false, MARKED, { ...USER, verified: 'more' }],
  [true, MARKED, { ...MARKED, fName: 'Ana María' }],
].map(([isGood, before, after]) =>
  createCase(isGood as boolean, {
    method: before === null ? 'create' : 'update',
    path: PATHS.users,
    before: before as Fields | null,
    after: after as Fields,
  }),
)

const ELSEWHERE: readonly Case[] = [
  'other/one-id',
  `users/${ANA}/more/one-id`,
  `cataloge/${ID}/more/one`,
].map((path) => createCase(false, { method: 'create', path, after: {} }))

const CASES: readonly Case[] = [
  ...COLLECTIONS.flatMap(listOwned),
  ...MOVES,
  ...MARKS,
  ...IDS,
  ...ELSEWHERE,
  ...COLLECTIONS.flatMap(listWrites),
]

/** A request that should be allowed must pass the strict reading; one that should be refused must fail the lenient one. */
function isKept(matches: readonly RuleMatch[], { isGood, ...request }: Case): boolean {
  return isAllowed(matches, request, isGood ? 'strict' : 'lenient') === isGood
}

describe('the rules of Firestore', () => {
  it('allow and refuse reads and writes by owner, field, type and bound', () => {
    expect(CASES.filter((one) => !isKept(rules, one))).toEqual([])
    expect(CASES.filter(({ isGood }) => isGood).length).toBeGreaterThan(80)
  })

  it('fail these cases when anything of them is dropped or changed', () => {
    const variants = [...varyRules(rules)]
    expect(variants.length).toBeGreaterThan(150)
    const unseen = variants.filter(([, varied]) => CASES.every((one) => isKept(varied, one)))
    expect(unseen.map(([change]) => change)).toEqual([])
  })

  it('allow nothing that the site reports, but short telephone numbers', () => {
    const problems: Problem[] = []
    for (const { path, after } of CASES.filter(({ isGood }) => isGood)) {
      const [collection, id = ''] = path.split('/') as [Collection, string]
      if (after) parseDocument({ collection, id, updateTime: null, data: after }, (one) => problems.push(one))
    }
    expect(new Set(problems.map(({ field }) => field))).toEqual(new Set(['whatsapp']))
  })

  it('allow each document of the sample to its seller', () => {
    const requests = COLLECTIONS.flatMap((collection) => {
      const file = join(ROOT, 'src/builder/sources/sample', `${collection}.ndjson`)
      return readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => {
          const { id, data } = JSON.parse(line)
          const uid = collection === 'users' ? id : data.owner.id
          return { method: 'update', path: `${collection}/${id}`, uid, before: data, after: data } as const
        })
    })
    expect(requests.filter((one) => !isAllowed(rules, one, 'strict'))).toEqual([])
  })

  it('are deployed with the functions', () => {
    const { firestore, functions } = JSON.parse(readFileSync(join(FOLDER, 'firebase.json'), 'utf8'))
    expect(firestore).toEqual({ rules: 'firestore.rules' })
    expect(functions[0].ignore).toContain('firestore.rules')
    expect(readFileSync(join(FOLDER, 'README.md'), 'utf8')).toContain(
      'deploy --only functions,firestore:rules --project <project>',
    )
  })
})
