import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { PhotoTools } from '../../../src/builder/pictures/photos/process-photo.ts'
import { processPhotos } from '../../../src/builder/pictures/process-photos.ts'
import type { KnownPhoto } from '../../../src/builder/pictures/store/photo-queue.ts'

it('begins no further photo once the store cannot be written, and ends with that error', async () => {
  const photos = Array.from({ length: 40 }, (_, index) => ({ address: `/${index}.jpg` }) as KnownPhoto)
  let failures = 0
  const keepFailure = (): void => {
    failures += 1
    if (failures === 1) throw new Error('the disk is full')
  }
  const tools = { store: { keepFailure }, readPublicFile: () => null, now: Date.now } as unknown as PhotoTools
  const { signal } = new AbortController()
  await expect(processPhotos(photos, { tools, signal })).rejects.toThrow('the disk is full')
  const before = failures
  await setImmediate()
  expect([failures, failures < photos.length]).toEqual([before, true])
})
