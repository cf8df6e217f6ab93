/** Lane `objects`: adds to the error of a failed delivery that the Worker is already live. */
import { PublishError, readSentence } from '../../publish/publish-error.ts'
import { isDamage } from '../../result-codes.ts'

/** `said` is a sentence about the version that was put live. If it is empty, the error is returned unchanged. */
export function explainUndelivered(said: string, error: unknown): unknown {
  // Returns errors that report damage unchanged, because the caller must recognize them to repair the state.
  if (said === '' || isDamage(error)) return error
  const text = `${said} The delivery of the data failed: ${readSentence(error)} Run the command again, which delivers the rest.`
  return new PublishError(text, { cause: error })
}

/** Returns the sentence `said` for `explainUndelivered`; empty if nothing was put live. */
export function describePublished(kind: string, version: string): string {
  return kind === 'unchanged' ? '' : `Version ${version} is live.`
}
