/** Makes edits one after another and gathers the times of each. */
import { once } from 'node:events'

export interface EditedSite<Times> {
  /** Sets the price and returns the times of the edit's stations. */
  edit(price: number): Promise<Times>
  /** Rejects if a process of the site ends. */
  readonly failed?: Promise<never>
}

export interface EditOptions {
  readonly edits: number
  /** Higher than any price of the sample. */
  readonly firstPrice: number
  readonly progress: (text: string) => void
  readonly end: AbortSignal
}

/** Rejects when `end` is aborted. */
export async function measureEdits<Times>(
  site: EditedSite<Times>,
  options: EditOptions,
): Promise<readonly Times[]> {
  const { failed = new Promise<never>(() => {}) } = site
  return Promise.race([makeEdits(site, options), failed, rejectAtEnd(options.end)])
}

async function makeEdits<Times>(
  site: EditedSite<Times>,
  { edits, firstPrice, progress }: EditOptions,
): Promise<readonly Times[]> {
  const all: Times[] = []
  // The first edit loads modules that are loaded once.
  await site.edit(firstPrice)
  for (let count = 1; count <= edits; count += 1) {
    progress(`${count} of ${edits} edits`)
    all.push(await site.edit(firstPrice + count))
  }
  return all
}

async function rejectAtEnd(end: AbortSignal): Promise<never> {
  if (!end.aborted) await once(end, 'abort')
  throw new Error('stopped before all edits were measured')
}
