import { describe, expect, it } from 'vitest'
import { command } from '../../../src/builder/commands/transfer/set.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { runHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { makeEmbedded, gather } from '../sources/reading.ts'

const path = useTemporaryFolder()

const makeShop = () => makeEmbedded(path('shop.sqlite'), [user('ana'), product('p1', 'ana')])

const set = (...words: string[]) =>
  runHere({ name: 'set', definition: command }, ['--source', path('shop.sqlite'), ...words])

const readData = async (id: string) => {
  const source = openEmbedded(path('shop.sqlite'))
  const { documents } = await gather(source.readAll())
  source.close()
  return documents.find((document) => document.id === id)?.data
}

describe('vitrina set', () => {
  it('changes one field and keeps the others', async () => {
    await makeShop()
    const { code, stdout } = await set('p1', 'price', '1500')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^p1: price was \d+, and is now 1500\nnpm run rebuild /),
    })
    expect(await readData('p1')).toMatchObject({ price: 1500, owner: { id: 'ana' } })
  })

  it.each([
    [300, 'price', '350', { price: 350 }],
    ['RD$ 300', 'available', 'false', { price: 'RD$ 300', available: false }],
  ])('makes a map of a decant that is the bare price %j', async (bare, field, value, decant) => {
    await makeEmbedded(path('shop.sqlite'), [user('ana'), product('p1', 'ana', { _5ml: bare })])
    expect((await set('p1', `_5ml.${field}`, value)).code).toBe(0)
    expect(await readData('p1')).toMatchObject({ _5ml: decant, price: 1300 })
  })

  it('adds a field that a document lacks, also within a decant, and the number of a seller', async () => {
    const data = { name: 'Uno', owner: { id: 'ana' } }
    const lacking: SourceDocument = { collection: 'cataloge', id: 'p1', updateTime: null, data }
    await makeEmbedded(path('shop.sqlite'), [user('ana'), lacking])
    expect((await set('p1', '_5ml.available', 'true')).stdout).toContain('was nothing, and is now true')
    expect(await readData('p1')).toEqual({ ...data, _5ml: { available: true } })
    expect((await set('ana', 'whatsapp', '809-555-0100')).code).toBe(0)
    expect(await readData('ana')).toMatchObject({ whatsapp: '809-555-0100' })
  })

  it.each([
    [['p1', 'prize', '1'], 'there is no field "prize": use one of fName,'],
    [['p1', 'price', 'cheap'], 'price must be an amount in RD$ such as 1500'],
    [['p1', 'price', '1e12'], 'price is not an amount between 0 and 999,999,999'],
    [['p1', 'available', 'yes'], 'available must be true or false'],
    [['p1', 'photo', 'ftp://a.example/b.jpg'], 'photo is not an http(s) address'],
    [['p2', 'price', '1'], 'has no product p2'],
  ])('refuses %j and changes nothing', async (words, message) => {
    await makeShop()
    const before = await readData('p1')
    const { code, stderr } = await set(...words)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    expect(await readData('p1')).toEqual(before)
  })
})
