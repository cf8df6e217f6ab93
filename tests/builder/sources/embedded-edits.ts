/** Every way of changing a row with plain SQL, and what the change log must name for it. */

export interface Edit {
  readonly title: string
  readonly sql: string
  readonly sellers: readonly string[]
  readonly documents: readonly string[]
}

const owned = (owner: string): string => `'{"name":"x","owner":{"id":"${owner}"}}'`
/** A product with that owner and nothing else. */
export const put = (verb: string, id: string, owner: string): string =>
  `${verb} INTO documents (collection, id, data) VALUES ('cataloge', '${id}', ${owned(owner)})`

export const SQL_EDITS: readonly Edit[] = [
  {
    title: 'INSERT of a product',
    sql: put('INSERT', 'p9', 'ana'),
    sellers: ['ana'],
    documents: ['cataloge/p9'],
  },
  {
    title: 'INSERT of a profile',
    sql: `INSERT INTO documents (collection, id, data) VALUES ('users', 'new', '{}')`,
    sellers: ['new'],
    documents: ['users/new'],
  },
  {
    title: 'INSERT of several rows',
    sql: `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p8', ${owned('a')}), ('cataloge', 'p9', ${owned('b')})`,
    sellers: ['a', 'b'],
    documents: ['cataloge/p8', 'cataloge/p9'],
  },
  {
    title: 'UPDATE of a field',
    sql: `UPDATE documents SET data = json_set(data, '$.price', 5) WHERE id = 'p1'`,
    sellers: ['ana'],
    documents: ['cataloge/p1'],
  },
  {
    title: 'UPDATE of a profile',
    sql: `UPDATE documents SET data = '{}' WHERE collection = 'users' AND id = 'luz'`,
    sellers: ['luz'],
    documents: ['users/luz'],
  },
  {
    title: 'UPDATE of the owner',
    sql: `UPDATE documents SET data = json_set(data, '$.owner.id', 'luz') WHERE id = 'p1'`,
    sellers: ['ana', 'luz'],
    documents: ['cataloge/p1'],
  },
  {
    title: 'UPDATE of a product’s id',
    sql: `UPDATE documents SET id = 'p7' WHERE id = 'p1'`,
    sellers: ['ana'],
    documents: ['cataloge/p1', 'cataloge/p7'],
  },
  {
    title: 'UPDATE of a profile’s id',
    sql: `UPDATE documents SET id = 'zoe' WHERE id = 'luz'`,
    sellers: ['luz', 'zoe'],
    documents: ['users/luz', 'users/zoe'],
  },
  {
    title: 'UPDATE OR REPLACE that removes another row',
    sql: `UPDATE OR REPLACE documents SET id = 'p2' WHERE id = 'p1'`,
    sellers: ['ana', 'luz'],
    documents: ['cataloge/p1', 'cataloge/p2'],
  },
  {
    title: 'UPDATE of the collection',
    sql: `UPDATE documents SET collection = 'users' WHERE id = 'p3'`,
    sellers: ['eva', 'p3'],
    documents: ['cataloge/p3', 'users/p3'],
  },
  {
    title: 'INSERT OR REPLACE over a row of another owner',
    sql: put('INSERT OR REPLACE', 'p1', 'luz'),
    sellers: ['ana', 'luz'],
    documents: ['cataloge/p1'],
  },
  {
    title: 'REPLACE that takes the owner away',
    sql: `REPLACE INTO documents (collection, id, data) VALUES ('cataloge', 'p1', '{}')`,
    sellers: ['ana'],
    documents: ['cataloge/p1'],
  },
  {
    title: 'upsert',
    sql: `${put('INSERT', 'p1', 'luz')} ON CONFLICT DO UPDATE SET data = excluded.data`,
    sellers: ['ana', 'luz'],
    documents: ['cataloge/p1'],
  },
  {
    title: 'DELETE of a product',
    sql: `DELETE FROM documents WHERE id = 'p3'`,
    sellers: ['eva'],
    documents: ['cataloge/p3'],
  },
  {
    title: 'DELETE of everything',
    sql: 'DELETE FROM documents',
    sellers: ['a', 'ana', 'b', 'eva', 'luz'],
    documents: ['cataloge/double', 'cataloge/p1', 'cataloge/p2', 'cataloge/p3', 'users/ana', 'users/luz'],
  },
  {
    title: 'INSERT of a product whose owner is not text',
    sql: `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p9', '{"owner":{"id":7}}')`,
    sellers: [],
    documents: ['cataloge/p9'],
  },
  {
    title: 'INSERT of data that is no object',
    sql: `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p9', '"owner"')`,
    sellers: [],
    documents: ['cataloge/p9'],
  },
  {
    title: 'UPDATE to several owners',
    sql: `UPDATE documents SET data = '{"owner":{"id":"a","id":"b"},"owner":{"id":"c"},"\\u006fwner":{"\\u0069d":"d"}}' WHERE id = 'p1'`,
    sellers: ['a', 'ana', 'b', 'c', 'd'],
    documents: ['cataloge/p1'],
  },
  {
    title: 'DELETE of several owners',
    sql: `DELETE FROM documents WHERE id = 'double'`,
    sellers: ['a', 'b'],
    documents: ['cataloge/double'],
  },
  {
    title: 'INSERT of owners elsewhere in the data',
    sql: `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p9', '{"owner.id":"a","x":{"owner":{"id":"b"}},"owner":[{"id":"c"}]}')`,
    sellers: [],
    documents: ['cataloge/p9'],
  },
]
