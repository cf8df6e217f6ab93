/** Every way of changing a row with plain SQL, and the sellers that the log must name for it. */

export interface Edit {
  readonly title: string
  readonly sql: string
  readonly sellers: readonly string[]
}

const owned = (owner: string): string => `'{"name":"x","owner":{"id":"${owner}"}}'`
/** A product with that owner and nothing else. */
export const put = (verb: string, id: string, owner: string): string =>
  `${verb} INTO documents (collection, id, data) VALUES ('cataloge', '${id}', ${owned(owner)})`

const EDITS: readonly (readonly [title: string, sql: string, ...sellers: string[]])[] = [
  ['INSERT of a product', put('INSERT', 'p9', 'ana'), 'ana'],
  [
    'INSERT of a profile',
    `INSERT INTO documents (collection, id, data) VALUES ('users', 'new', '{}')`,
    'new',
  ],
  [
    'INSERT of several rows',
    `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p8', ${owned('a')}), ('cataloge', 'p9', ${owned('b')})`,
    'a',
    'b',
  ],
  [
    'INSERT of a product whose owner is not text',
    `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p9', '{"owner":{"id":7}}')`,
  ],
  ['UPDATE of a field', `UPDATE documents SET data = json_set(data, '$.price', 5) WHERE id = 'p1'`, 'ana'],
  ['UPDATE of a time', `UPDATE documents SET update_time = 'x' WHERE id = 'p1'`, 'ana'],
  [
    'UPDATE of a profile',
    `UPDATE documents SET data = '{}' WHERE collection = 'users' AND id = 'luz'`,
    'luz',
  ],
  [
    'UPDATE of the owner',
    `UPDATE documents SET data = json_set(data, '$.owner.id', 'luz') WHERE id = 'p1'`,
    'ana',
    'luz',
  ],
  ['UPDATE of a product’s id', `UPDATE documents SET id = 'p7' WHERE id = 'p1'`, 'ana'],
  ['UPDATE of a profile’s id', `UPDATE documents SET id = 'zoe' WHERE id = 'luz'`, 'luz', 'zoe'],
  [
    'UPDATE OR REPLACE that removes another row',
    `UPDATE OR REPLACE documents SET id = 'p2' WHERE id = 'p1'`,
    'ana',
    'luz',
  ],
  ['UPDATE of the collection', `UPDATE documents SET collection = 'users' WHERE id = 'p3'`, 'eva', 'p3'],
  ['INSERT OR REPLACE over a row of another owner', put('INSERT OR REPLACE', 'p1', 'luz'), 'ana', 'luz'],
  [
    'REPLACE that takes the owner away',
    `REPLACE INTO documents (collection, id, data) VALUES ('cataloge', 'p1', '{}')`,
    'ana',
  ],
  ['upsert', `${put('INSERT', 'p1', 'luz')} ON CONFLICT DO UPDATE SET data = excluded.data`, 'ana', 'luz'],
  ['DELETE of a product', `DELETE FROM documents WHERE id = 'p3'`, 'eva'],
  ['DELETE of everything', 'DELETE FROM documents', 'ana', 'eva', 'luz'],
]

export const SQL_EDITS: readonly Edit[] = EDITS.map(([title, sql, ...sellers]) => ({ title, sql, sellers }))
