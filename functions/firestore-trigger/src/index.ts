/**
 * Two Cloud Functions (2nd generation). They send the site a notice when a write to `cataloge` or `users` changes what
 * pages show. README.md describes their deployment, which needs no file outside of this folder.
 */
import { logger } from 'firebase-functions'
import { onDocumentWritten } from 'firebase-functions/firestore'
import { defineSecret, defineString } from 'firebase-functions/params'
import { setGlobalOptions } from 'firebase-functions/options'
import type { WrittenDocument } from './find-sellers.ts'
import { findProductSellers, findProfileSellers, splitSellers } from './find-sellers.ts'
import { sendNotice } from './send-notice.ts'

const SITE_URL = defineString('SITE_URL', {
  description: 'The origin of the site, such as https://vitrina.do',
})
const REGION = defineString('TRIGGER_REGION', {
  default: 'us-central1',
  description: 'The region of the Firestore database, or the nearest one to it',
})
const NOTICE_SECRET = defineSecret('NOTICE_SECRET')

setGlobalOptions({ region: REGION, maxInstances: 10, timeoutSeconds: 60, memory: '256MiB' })

// `retry` redelivers a failed event for up to a day. The nightly full read finds changes whose event was lost.
export const productWritten = onDocumentWritten(
  { document: 'cataloge/{id}', secrets: [NOTICE_SECRET], retry: true },
  (event) => notifySite(event.id, findProductSellers(readWritten(event.data))),
)

export const profileWritten = onDocumentWritten(
  { document: 'users/{id}', secrets: [NOTICE_SECRET], retry: true },
  (event) => notifySite(event.id, findProfileSellers(event.params.id, readWritten(event.data))),
)

interface Snapshot {
  data(): Record<string, unknown> | undefined
}

function readWritten(
  change: { readonly before: Snapshot; readonly after: Snapshot } | undefined,
): WrittenDocument {
  return { before: change?.before.data(), after: change?.after.data() }
}

/** Max characters of an overlong id in the log. */
const SHOWN = 40

async function notifySite(id: string, named: readonly string[]): Promise<void> {
  const { possible: sellers, impossible } = splitSellers(named)
  for (const seller of impossible)
    logger.error(
      `no notice was sent for the owner ${seller.slice(0, SHOWN)}…: the id is too long for a document of Firestore, so correct the product's owner.id`,
    )
  if (sellers.length === 0) return
  const problem = await sendNotice({ site: SITE_URL.value(), secret: NOTICE_SECRET.value() }, { id, sellers })
  if (problem !== null)
    logger.error(`the site did not accept a notice that names ${sellers.join(', ')}: ${problem}`)
}
