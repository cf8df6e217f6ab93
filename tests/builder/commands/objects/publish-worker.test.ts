/** The Worker of a site of objects before a delivery: what is live is completed, and what went live is never unsaid. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PublishResult } from '../../../../src/builder/commands/deploy/publish.ts'
import { explainUndelivered } from '../../../../src/builder/commands/objects/explain-undelivered.ts'
import { publishUnlessLive } from '../../../../src/builder/commands/objects/publish-worker.ts'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Live } from '../../../../src/builder/publish/live-file.ts'
import type { ObjectClient } from '../../../../src/builder/publish/objects/object-client.ts'
import { openSentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import { PublishError } from '../../../../src/builder/publish/publish-error.ts'
import { openPublishedState } from '../../../../src/builder/publish/published-state.ts'
import type { ObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { createObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { GateTwin } from '../../publish/publish-twin.ts'

const path = useTemporaryFolder()
const LIVE: Live = { version: 'v1', sequence: 5, digest: 'digest', isSeen: true, untold: null }
const PUBLISHED: PublishResult = { kind: 'published', version: 'v2', code: 'code', sequence: 1, lines: [] }

let twin: ObjectsTwin
let gate: GateTwin
beforeEach(() => {
  twin = createObjectsTwin()
  gate = new GateTwin()
  mkdirSync(path('dist/_astro'), { recursive: true })
  writeFileSync(path('dist/_astro/app.js'), 'app')
})

function publish(digest: string, client: ObjectClient = twin.client): ReturnType<typeof publishUnlessLive> {
  const live = { readLive: () => LIVE, writeLive: () => {} }
  const published = openPublishedState(':memory:', live)
  const sent = openSentFiles(':memory:', 'https://vitrina.do')
  return publishUnlessLive(
    { published, digest, code: 'code', gate },
    { client, sent },
    path('dist'),
    async () => PUBLISHED,
  )
}

describe('the hashed files', () => {
  it('of code that is live are stored, if the run that published it ended before the code answered', async () => {
    expect(await publish('digest')).toEqual({ lines: [], failure: null })
    expect([...twin.files.keys()]).toEqual(['_astro/app.js'])
  })
})

describe('code that this state has published', () => {
  const isPublishedAgain = async (): Promise<boolean> => (await publish('digest')).said !== undefined

  it('is published again once another machine has rolled it back', async () => {
    await gate.hold('rolled back', { version: 'v0', sequence: 4 })
    expect(await isPublishedAgain()).toBe(true)
  })

  it('does not replace what another machine has published since', async () => {
    await gate.hold('', { version: 'v9', sequence: 9 })
    expect(await isPublishedAgain()).toBe(false)
  })

  it('counts as live if the coordinator does not answer', async () => {
    gate.isDown = true
    expect(await isPublishedAgain()).toBe(false)
  })
})

describe('a version that went live', () => {
  it('is named when the calls after it fail', async () => {
    const findMissing = async (): Promise<never> => Promise.reject(new CallError('answered 500', 500))
    const failed = publish('other', { ...twin.client, findMissing })
    await expect(failed).rejects.toThrow('Version v2 is live. The delivery of the data failed: answered 500.')
    await expect(failed).rejects.toThrow(PublishError)
  })

  it('hides neither damage, which is repaired, nor the error of a delivery without a publish', () => {
    const damage = Object.assign(new Error('malformed'), { errcode: 11 })
    expect(explainUndelivered('Version v2 is live.', damage)).toBe(damage)
    const failure = new CallError('answered 500', 500)
    expect(explainUndelivered('', failure)).toBe(failure)
  })
})
