import { expect, it } from 'vitest'
import type { HostCache } from '../../../src/edge/search/brief-cache.ts'
import { BRIEF_AGE, createBriefCache } from '../../../src/edge/search/brief-cache.ts'

/** The cache of a host at `workers.dev`. */
const NOTHING: HostCache = {
  match: async () => undefined,
  put: async () => {},
}

const KEPT = 'https://vitrina.example/buscar?code=1'

function open(cache = NOTHING): { brief: HostCache; wait: (ms: number) => void } {
  let time = 0
  return {
    brief: createBriefCache(cache, () => time),
    wait: (ms) => {
      time += ms
    },
  }
}

it('an entry is found with its headers for a few seconds where the host keeps nothing', async () => {
  const { brief, wait } = open()
  await brief.put(KEPT, new Response('all well', { headers: { 'vitrina-entry': '1' } }))
  for (let turn = 0; turn < 2; turn += 1) {
    const found = await brief.match(KEPT)
    expect([await found?.text(), found?.headers.get('vitrina-entry')]).toEqual(['all well', '1'])
  }
  wait(BRIEF_AGE)
  expect(await brief.match(KEPT)).toBeUndefined()
})

it('the oldest entry makes room', async () => {
  const { brief } = open()
  for (let number = 0; number <= 200; number += 1) await brief.put(`${KEPT}${number}`, new Response(''))
  expect(await brief.match(`${KEPT}0`)).toBeUndefined()
  expect(await brief.match(`${KEPT}1`)).toBeDefined()
})

it('an expired entry is dropped when the next one is kept', async () => {
  const { brief, wait } = open()
  await brief.put(`${KEPT}0`, new Response('old'))
  wait(BRIEF_AGE)
  await brief.put(`${KEPT}1`, new Response('new'))
  // An expired entry is not returned, so only a clock that goes back shows whether it is still in memory.
  wait(-BRIEF_AGE)
  expect(await brief.match(`${KEPT}0`)).toBeUndefined()
  expect(await brief.match(`${KEPT}1`)).toBeDefined()
})

it('all entries together have a bound of bytes, and one that is replaced no longer counts', async () => {
  const { brief } = open()
  const MB = 1024 * 1024
  const put = (number: number, size: number): Promise<void> =>
    brief.put(`${KEPT}${number}`, new Response(new Uint8Array(size * MB)))
  await put(0, 1)
  for (let turn = 0; turn < 8; turn += 1) {
    await put(1, 6)
    await put(2, 1)
  }
  await put(2, 1)
  expect(await brief.match(`${KEPT}0`)).toBeDefined()
  await put(3, 1)
  expect(await brief.match(`${KEPT}0`)).toBeUndefined()
  expect(await brief.match(`${KEPT}1`)).toBeDefined()
})

it('the host has what the isolate has not', async () => {
  const kept = new Map<string, string>()
  const { brief, wait } = open({
    match: async (key) => (kept.has(String(key)) ? new Response(kept.get(String(key))) : undefined),
    put: async (key, response) => void kept.set(String(key), await response.text()),
  })
  await brief.put(KEPT, new Response('all well'))
  wait(BRIEF_AGE)
  expect(await (await brief.match(KEPT))?.text()).toBe('all well')
})
