import { describe, expect, it } from 'vitest'
import { parseProduct } from '../../../src/domain/documents/product.ts'
import { product } from '../../support/rebuild/documents.ts'
import { collectComplaints, NO_STRINGS } from '../../support/rebuild/hostile.ts'

/** Parses the document of `p1`, owned by `ana`, with these fields overridden. */
function parse(overrides: Record<string, unknown>) {
  return parseData(product('p1', 'ana', overrides).data)
}

function parseData(data: unknown) {
  const { complain, complaints } = collectComplaints()
  return { owned: parseProduct('p1', data, complain), complaints }
}

describe('a product', () => {
  it('has the values of its document', () => {
    expect(parse({ stock: 7, id: 'another' })).toEqual({
      owned: {
        seller: 'ana',
        product: {
          id: 'p1',
          name: 'Perfume p1',
          photo: 'https://photos.example/p1.jpg',
          price: 1300,
          available: true,
          _5ml: { price: 300, available: true },
          _10ml: { price: 550, available: false },
        },
      },
      complaints: [],
    })
  })

  it('with only a name and an owner is shown, without problems', () => {
    const { owned, complaints } = parseData({ name: 'Solo', owner: { id: 'ana' }, price: null, _10ml: null })
    const none = { price: null, available: false }
    expect(owned?.product).toEqual({ id: 'p1', name: 'Solo', photo: null, ...none, _5ml: none, _10ml: none })
    expect(complaints).toEqual([])
  })

  it('without a name is dropped', () => {
    for (const name of [...NO_STRINGS, undefined, null, '', '  ', '\u202e\u0000']) {
      const { owned, complaints } = parse({ name })
      expect(owned).toBeNull()
      expect(complaints).toMatchObject([{ field: 'name', fatal: true }])
    }
  })

  it('without an owner that can have a page is dropped', () => {
    const owners = ['ana', null, undefined, 5, [], [{ id: 'ana' }], {}]
    const ids = [null, 5, { id: 'ana' }, '', '404'].map((id) => ({ id }))
    for (const owner of [...owners, ...ids]) {
      const { owned, complaints } = parse({ owner })
      expect(owned).toBeNull()
      expect(complaints).toMatchObject([{ field: 'owner.id', fatal: true }])
    }
  })

  it('reports all of its problems at once', () => {
    const { complaints } = parse({ name: 5, owner: 'ana' })
    expect(complaints.map(({ field }) => field).sort()).toEqual(['name', 'owner.id'])
  })
})

describe('a decant', () => {
  it('that is neither a map nor a price has no price, is not available, and is reported', () => {
    for (const value of ['mil', -1, true, [], [{ price: 300, available: true }]]) {
      const { owned, complaints } = parse({ _5ml: value })
      expect(owned?.product).toMatchObject({ _5ml: { price: null, available: false } })
      expect(complaints).toMatchObject([{ field: '_5ml', fatal: false }])
    }
  })
})

describe('a photo', () => {
  const photoOf = (photo: unknown) => parse({ photo }).owned?.product.photo

  it('is an http(s) address, normalized as in a browser', () => {
    expect(photoOf('https://a.example/x y.jpg?a="b"')).toBe('https://a.example/x%20y.jpg?a=%22b%22')
    expect(photoOf(' HTTP://A.Example/../x.jpg ')).toBe('http://a.example/x.jpg')
    expect(photoOf('https://a.example/<script>.jpg')).toBe('https://a.example/%3Cscript%3E.jpg')
  })

  it('is what the parser of URLs gives, with any parts', () => {
    const hosts = [
      'a.example',
      'a-b.c2.do',
      'a--b.do',
      'xn--a.do',
      'xn--ls8h.la',
      '-a.do',
      'a-.do',
      'a.1',
      '1.2.3.4',
    ]
    const moreHosts = [
      'A.do',
      'a.do.',
      'a..do',
      'do',
      'a.do:443',
      'a.do:8443',
      'ñ.do',
      'a_b.do',
      `${'a'.repeat(300)}.do`,
    ]
    const paths = [
      '',
      '/',
      '/x',
      '/x/',
      '/a/./b',
      '/a/../b',
      '/%2e%2E/b',
      '/a/.b',
      '/a//b',
      '/a%2Fb.jpg',
      '/100%',
      '/a b',
    ]
    const queries = ['', '?', '?alt=media&token=a-b', '?a=%', "?a='b'", '?a#b', '#b', '?a\tb', '?ñ']
    const addresses = [...hosts, ...moreHosts].flatMap((host) =>
      paths.flatMap((path) => queries.map((query) => `https://${host}${path}${query}`)),
    )
    const parsed = addresses.map((address) => [address, URL.parse(address)?.href ?? null])
    expect(addresses.map((address) => [address, photoOf(address)])).toEqual(parsed)
    expect(parsed.filter(([address, href]) => address === href).length).toBeGreaterThan(100)
  })

  it('may be a path of the public folder', () => {
    expect(photoOf('/muestra/1.svg')).toBe('/muestra/1.svg')
    expect(photoOf('/../../etc/passwd')).toBe('/etc/passwd')
  })

  it('of any other scheme, or without one, is not shown and is reported', () => {
    const scripts = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' java\nscript:alert(1)', 'vbscript:x']
    const data = [
      'data:image/png;base64,AAAA',
      'data:text/html,<script>alert(1)</script>',
      'blob:https://a.do/1',
    ]
    const others = ['file:///etc/passwd', 'ftp://a.example/x', 'about:blank', 'foto.jpg', 'fotos/x.jpg']
    const broken = ['https://', 'http://[', '?', '#', 'https:///']
    for (const photo of [...scripts, ...data, ...others, ...broken])
      expect([photo, parse({ photo })]).toMatchObject([
        photo,
        { owned: { product: { photo: null } }, complaints: [{ field: 'photo', fatal: false }] },
      ])
  })

  it('that names another host without a scheme gets one', () => {
    const hosts = [
      '//evil.example/x.jpg',
      '/\\evil.example/x.jpg',
      '\\\\evil.example/x.jpg',
      '/\t/evil.example/x',
    ]
    for (const photo of hosts) expect(photoOf(photo) ?? 'https://').toMatch(/^https?:\/\//)
  })

  it('with a user name or a password is not shown', () => {
    for (const user of ['user@', 'user:secret@', ':secret@'])
      expect(photoOf(`https://${user}a.example/x`)).toBeNull()
  })

  it('cannot end an attribute and contains no unpaired surrogate', () => {
    const quoted = 'https://a.example/"onerror="alert(1)'
    for (const photo of [quoted, '/x" onerror="y', 'https://a.example/\ud800.jpg'])
      expect(photoOf(photo)).toMatch(/^[\x21\x23-\x7e]+$/)
  })

  it('that is too long or of a wrong type is not shown and is reported', () => {
    for (const photo of [...NO_STRINGS, `https://a.example/${'x'.repeat(1_000_000)}`]) {
      const { owned, complaints } = parse({ photo })
      expect(owned?.product.photo).toBeNull()
      expect(complaints).toMatchObject([{ field: 'photo', fatal: false }])
    }
  })

  it('is measured as it is used: each letter that is encoded takes up to nine times as much', () => {
    const host = 'https://a.example/'
    for (const [letter, size] of [
      ['x', 1],
      ['é', 6],
      ['香', 9],
    ] as const) {
      const most = Math.floor((2_000 - host.length) / size)
      expect(photoOf(host + letter.repeat(most))?.length).toBeLessThanOrEqual(2_000)
      expect(photoOf(`/${letter.repeat(most)}`)?.length).toBeLessThanOrEqual(2_000)
      expect(photoOf(host + letter.repeat(most + 1))).toBeNull()
      expect(photoOf(`/${letter.repeat(Math.ceil(2_000 / size))}`)).toBeNull()
    }
  })

  it('that is absent or blank is `null`, without problems', () => {
    for (const photo of [undefined, null, '', '  \n']) {
      const { owned, complaints } = parse({ photo })
      expect(owned?.product.photo).toBeNull()
      expect(complaints).toEqual([])
    }
  })
})
