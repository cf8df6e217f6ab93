/** The errors of failed calls about objects, and how long the calls wait. */
import { expect, it } from 'vitest'
import { LARGEST_PUSH } from '../../../../src/domain/wire/call.ts'
import { CallError, findTimeout } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createObjectClient } from '../../../../src/builder/publish/objects/object-client.ts'

function readTags(status: number): Promise<object> {
  const ask = async (): Promise<never> => {
    throw new CallError(`https://one.do answered ${status}`, status)
  }
  return createObjectClient({ ask }).readTags({ names: [] })
}

it('says that the Worker is one of files, or of another format', async () => {
  await expect(readTags(404)).rejects.toThrow(/npm run deploy -- --setup.*answered 404/)
  await expect(readTags(422)).rejects.toThrow(/another format.*answered 422/)
  await expect(readTags(401)).rejects.toThrow(/^https:\/\/one.do answered 401$/)
})

it('waits for the answer to a small call half a minute, and to the largest as long as the site reads it', () => {
  expect(findTimeout(100)).toBeLessThan(31_000)
  expect(findTimeout(LARGEST_PUSH)).toBeGreaterThan(90_000)
})
