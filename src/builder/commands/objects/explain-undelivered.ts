/** Lane `objects`: adds to the error of a delivery that the Worker went live before it. */
import { PublishError, readSentence } from '../../publish/publish-error.ts'
import { isDamage } from '../../result-codes.ts'

/** `said` is a sentence about the version that was put live; empty if none was, and then the error stays as it is. */
export function explainUndelivered(said: string, error: unknown): unknown {
  // Damage is repaired by the caller, who must recognize it.
  if (said === '' || isDamage(error)) return error
  const text = `${said} The data was not delivered: ${readSentence(error)} Run the command again, which delivers it.`
  return new PublishError(text, { cause: error })
}

/** Returns the sentence for `explainUndelivered`. */
export function describePublished(kind: string, version: string): string {
  return kind === 'unchanged' ? '' : `Version ${version} is live.`
}
