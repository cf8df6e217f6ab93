/** The plain classes behave like those of Node in what a renderer uses. */
import { describe, expect, it } from 'vitest'
import { PlainHeaders, PlainRequest, PlainResponse } from '../../../../src/builder/renderer/fast/plain-web.ts'

describe.each([
  ['plain', PlainHeaders],
  ['of Node', Headers],
] as const)('headers %s', (_, Kind) => {
  it('are found by names in any case, and joined if they are repeated', () => {
    const headers = new Kind({ 'Content-Type': 'text/html' })
    headers.append('X-A', '1')
    headers.append('x-a', '2')
    headers.set('X-B', '3')
    headers.delete('x-b')
    expect([headers.get('content-type'), headers.get('X-A'), headers.get('x-b')]).toEqual([
      'text/html',
      '1, 2',
      null,
    ])
    expect(headers.has('X-a')).toBe(true)
    expect([...new Kind([...headers])]).toEqual([
      ['content-type', 'text/html'],
      ['x-a', '1, 2'],
    ])
    expect(headers.getSetCookie()).toEqual([])
  })
})

describe.each([
  ['plain', PlainResponse],
  ['of Node', Response],
] as const)('a response %s', (_, Kind) => {
  it('has a status, a text for it and headers', () => {
    const response = new Kind(null, { status: 404, statusText: 'gone', headers: { a: 'b' } })
    expect([response.status, response.statusText, response.ok, response.headers.get('A')]).toEqual([
      404,
      'gone',
      false,
      'b',
    ])
    expect([new Kind('x').status, new Kind('x').ok]).toEqual([200, true])
  })
})

it('a request is a GET of its address, also as a copy', () => {
  const request = new PlainRequest(new URL('http://localhost/a?b')).clone()
  expect([request.url, request.method, request.body]).toEqual(['http://localhost/a?b', 'GET', null])
})
