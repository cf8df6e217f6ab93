/** Parsing signed bodies. */
import { describe, expect, it } from 'vitest'
import { parseBody } from '../../../src/domain/wire/call.ts'
import { COORDINATOR_CALLS, MAX_FAILED, MAX_REASON } from '../../../src/domain/wire/calls.ts'
import type { CatalogueNotice } from '../../../src/domain/wire/notice.ts'
import { MAX_SELLERS, readNotice } from '../../../src/domain/wire/notice.ts'

const { notify, claim, renew, report, status, publish, published, hold, release, forced } = COORDINATOR_CALLS

const TIMESTAMP = '2026-03-01T12:00:00.000Z'

function parseNotice(body: unknown, id: string): CatalogueNotice | null {
  const notice = parseBody(notify.body, body)
  return notice === null ? null : readNotice(notice, id)
}

function parseSellers(sellers: unknown): CatalogueNotice | null {
  return parseNotice({ type: 'catalogue.changed', timestamp: TIMESTAMP, data: { sellers } }, 'id')
}

describe('a notice', () => {
  it('names sellers, each once', () => {
    expect(parseSellers(['b', 'a', 'b'])).toEqual({ id: 'id', sellers: ['b', 'a'], isFull: false })
  })

  it('or requests a full read', () => {
    const body = { type: 'catalogue.rebuild', timestamp: TIMESTAMP, data: { full: true } }
    expect(parseNotice(body, 'id')).toEqual({ id: 'id', sellers: [], isFull: true })
  })

  it('drops sellers that cannot have a page', () => {
    const sellers = ['ok', '404', '..', 'a/b', 'x\u0000', '\uD800', 'n\u0303', 'x'.repeat(1_500)]
    expect(parseSellers(sellers)).toMatchObject({ sellers: ['ok'], ignored: 7 })
    expect(parseSellers(['ok', '', 'x'.repeat(1_501)])).toMatchObject({ sellers: ['ok'], ignored: 2 })
    expect(parseSellers([''])).toMatchObject({ sellers: [], ignored: 1 })
  })

  it('treats names of built-in JavaScript properties as plain ids', () => {
    expect(parseSellers(['__proto__', 'constructor', 'toString'])?.sellers).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'sellers'],
    ['a list', []],
    ['no fields', {}],
    ['another type', { type: 'catalogue.changes', timestamp: TIMESTAMP, data: { sellers: ['a'] } }],
    ['no timestamp', { type: 'catalogue.changed', data: { sellers: ['a'] } }],
    ['a field more', { type: 'catalogue.changed', timestamp: TIMESTAMP, data: { sellers: ['a'] }, more: 1 }],
    [
      'a prototype',
      JSON.parse(
        `{"type":"catalogue.changed","timestamp":"","data":{"sellers":["a"],"__proto__":{"full":true}}}`,
      ),
    ],
    [
      'a prototype of the whole',
      JSON.parse(`{"__proto__":{"type":"catalogue.rebuild"},"timestamp":"","data":{"full":true}}`),
    ],
    ['full and sellers', { type: 'catalogue.rebuild', timestamp: '', data: { full: true, sellers: ['a'] } }],
    ['not full', { type: 'catalogue.rebuild', timestamp: '', data: { full: false } }],
  ])('is not %s', (_, body) => {
    expect(parseNotice(body, 'id')).toBeNull()
    expect(Object.prototype).not.toHaveProperty('full')
  })

  it.each<[string, unknown]>([
    ['none', []],
    ['one text', 'a'],
    ['a map', { length: 1, 0: 'a' }],
    ['a number', [1]],
    ['too many', Array.from({ length: MAX_SELLERS + 1 }, (_, index) => `s${index}`)],
  ])('does not have %s for sellers', (_, sellers) => {
    expect(parseSellers(sellers)).toBeNull()
  })

  it('accepts the max number of sellers', () => {
    const sellers = Array.from({ length: MAX_SELLERS }, (_, index) => `s${index}`)
    expect(parseSellers(sellers)?.sellers).toHaveLength(MAX_SELLERS)
  })
})

describe("a builder's call", () => {
  it('claims with the sequence of the builder, if it has one', () => {
    expect(parseBody(claim.body, { builder: 'b', have: 7 })).toEqual({ builder: 'b', have: 7 })
    expect(parseBody(claim.body, { builder: 'b', have: null })).toEqual({ builder: 'b', have: null })
    expect(parseBody(claim.body, { builder: 'b' })).toEqual({ builder: 'b', have: null })
    for (const body of [
      {},
      { have: 7 },
      { builder: '' },
      { builder: 'b', have: -1 },
      { builder: 'b', have: 1.5 },
    ])
      expect(parseBody(claim.body, body)).toBeNull()
    expect(parseBody(claim.body, { builder: 'b'.repeat(201) })).toBeNull()
  })

  it('renews a lease', () => {
    expect(parseBody(renew.body, { lease: 'l' })).toEqual({ lease: 'l' })
    for (const body of [{}, { lease: 1 }, { lease: '' }, { lease: 'l', upTo: 1 }])
      expect(parseBody(renew.body, body)).toBeNull()
  })

  it('reports what failed, with reasons of bounded length, or that nothing was published', () => {
    const reason = 'x'.repeat(MAX_REASON + 1)
    const parsed = parseBody(report.body, { lease: 'l', upTo: 1, failed: [{ seller: 'a', reason }] })
    expect(parsed).toEqual({
      lease: 'l',
      upTo: 1,
      failed: [{ seller: 'a', reason: 'x'.repeat(MAX_REASON) }],
    })
    expect(parseBody(report.body, { lease: 'l', error: 'broken' })).toEqual({ lease: 'l', error: 'broken' })
    const many = Array.from({ length: MAX_FAILED + 1 }, () => ({ seller: 'a', reason: '' }))
    for (const body of [{}, { lease: 'l' }, { lease: 'l', upTo: 1 }, { lease: 'l', upTo: 1, failed: many }])
      expect(parseBody(report.body, body)).toBeNull()
    expect(parseBody(report.body, { lease: 'l', upTo: 1, failed: [], error: '' })).toBeNull()
  })

  it('may say who makes it, in a text of bounded length', () => {
    const by = 'x'.repeat(MAX_REASON + 1)
    const kept = 'x'.repeat(MAX_REASON)
    expect(parseBody(publish.body, { version: 'v', sequence: 1, by })).toMatchObject({ by: kept })
    expect(parseBody(published.body, { lease: 'l', isLive: true, by })).toMatchObject({ by: kept })
    expect(parseBody(hold.body, { reason: 'r', by })).toMatchObject({ by: kept, live: null })
    expect(parseBody(release.body, { release: true, by })).toEqual({ release: true, by: kept })
    expect(parseBody(release.body, { release: true })).toEqual({ release: true, by: null })
  })

  it('reports afterwards a version that went live without permission', () => {
    const call = { version: 'v', sequence: 1, reason: 'the site was broken', by: 'ana@desk' }
    const at = '2026-03-01T12:00:00Z'
    expect(parseBody(forced.body, call)).toEqual({ ...call, at: null })
    expect(parseBody(forced.body, { ...call, at })).toEqual({ ...call, at })
    for (const wrong of ['', 'yesterday', '2026-13-01T12:00:00Z'])
      expect(parseBody(forced.body, { ...call, at: wrong })).toBeNull()
  })

  it('may say how many pictures wait', () => {
    expect(parseBody(report.body, { lease: 'l', upTo: 1, failed: [], photos: 7 })).toMatchObject({
      photos: 7,
    })
    expect(parseBody(report.body, { lease: 'l', upTo: 1, failed: [], photos: -1 })).toBeNull()
  })

  it('for the status may ask for the log, and no other signed call is valid for it', () => {
    expect(parseBody(status.body, {})).toEqual({})
    expect(parseBody(status.body, { log: true })).toEqual({ log: true })
    for (const body of [{ lease: 'l' }, { log: false }, [], null, 'status'])
      expect(parseBody(status.body, body)).toBeNull()
    const calls = [
      { lease: 'l' },
      { builder: 'b' },
      { lease: 'l', error: 'e' },
      {},
      { release: true },
      { version: 'v', sequence: 1 },
      { lease: 'l', isLive: true },
      { reason: 'r' },
      { reason: 'r', version: 'v', sequence: 1 },
    ]
    const bodies = Object.values(COORDINATOR_CALLS).map((call) => call.body)
    for (const body of calls)
      expect(bodies.filter((schema) => parseBody(schema, body) !== null)).toHaveLength(1)
  })
})
