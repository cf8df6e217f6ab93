/** The visits during a move from one lane to the other. */
import { expect, it } from 'vitest'
import { watchPages } from '../../../scripts/rehearse/move-acts.ts'
import type { Surroundings } from '../../../scripts/rehearse/surroundings.ts'

function createAround(visit: (path: string) => Promise<{ status: number; text: string }>): Surroundings {
  return { visit } as unknown as Surroundings
}

it('names a visit that fails while the move goes on, and waits for the move', async () => {
  const failed = Promise.withResolvers<void>()
  const around = createAround((path) => {
    if (path !== '/catalogo/ana') return Promise.resolve({ status: 200, text: '' })
    failed.resolve()
    return Promise.reject(new Error('the connection broke off'))
  })
  let isMoved = false
  const move = async (): Promise<void> => {
    await failed.promise
    // A rejection that nothing awaits ends the process in this time.
    await new Promise((resolve) => void setTimeout(resolve, 0))
    isMoved = true
  }
  await expect(watchPages(around, move)).rejects.toThrow('the connection broke off')
  expect(isMoved).toBe(true)
})

it('names pages that are missing', async () => {
  const seen = Promise.withResolvers<void>()
  const around = createAround(async (path) => {
    if (path === '/sitemap.xml') seen.resolve()
    return { status: path === '/' ? 404 : 200, text: '' }
  })
  await expect(watchPages(around, () => seen.promise)).rejects.toThrow('/ answered with status 404')
})
