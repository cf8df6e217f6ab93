/** A Worker whose publish failed stops no data, unless the built data must not be delivered. */
import { expect, it } from 'vitest'
import { settleRefusal } from '../../../../src/builder/commands/objects/settle-refusal.ts'
import {
  DeliverableError,
  HeldError,
  OlderError,
  PublishError,
} from '../../../../src/builder/publish/publish-error.ts'
import { createObjectsTwin } from '../../../support/edge/objects-twin.ts'

/** The twin's Worker has the code `code`. */
const settle = (error: Error, code = 'other'): ReturnType<typeof settleRefusal> =>
  settleRefusal(error, code, createObjectsTwin().client)

it('is a failure after the delivery when the host fails, or when the state may be older than the live site', async () => {
  for (const error of [new DeliverableError('The upload failed.'), new OlderError('It may be older.')])
    expect(await settle(error)).toEqual({ lines: [], failure: error })
})

it('is none while publishing is held, nor for the code that another machine has published', async () => {
  expect(await settle(new HeldError('held'))).toMatchObject({
    failure: null,
    lines: [expect.stringContaining('held')],
  })
  expect(await settle(new OlderError('It may be older.'), 'code')).toMatchObject({
    failure: null,
    lines: [expect.stringContaining('another machine')],
  })
})

it('stops the delivery of what must not be published', async () => {
  await expect(settle(new PublishError('this is the sample'))).rejects.toThrow('this is the sample')
})
