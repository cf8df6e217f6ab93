/** Generates notices: new ones, repeats and forgeries, always in the same order. */
import { signMessage } from '../../../src/domain/wire/signature.ts'

export interface SignedNotice {
  readonly kind: 'new' | 'repeat' | 'forged'
  readonly seller: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const BENCH_SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`

const KINDS = [
  'new',
  'repeat',
  'forged',
  'new',
  'repeat',
  'new',
  'forged',
  'repeat',
  'new',
  'forged',
] as const

/** Returns new, signed notices without repeats. */
export function createSigned(notices: number, sellers: number): readonly SignedNotice[] {
  const now = new Date()
  return Array.from({ length: notices }, (_, index) =>
    createNotice({ kind: 'new', id: `signed-${index}`, seller: `s${index % sellers}` }, now),
  )
}

export function createNotices(notices: number, sellers: number): readonly SignedNotice[] {
  const now = new Date()
  const all: SignedNotice[] = []
  const first: SignedNotice[] = []
  for (let index = 0; index < notices; index += 1) {
    const kind = KINDS[index % KINDS.length] ?? 'new'
    // Chooses one of the 50 most recent new notices, so that some repeats are sent while the original is in flight, and
    // others after it was answered.
    const original = first[first.length - 1 - ((index * 7_919) % Math.min(first.length || 1, 50))]
    if (kind === 'repeat' && original !== undefined) all.push({ ...original, kind })
    else {
      const seller = kind === 'forged' ? `forged-${index}` : `s${index % sellers}`
      const made = { kind: kind === 'forged' ? kind : ('new' as const), id: `notice-${index}`, seller }
      const notice = createNotice(made, now)
      if (notice.kind === 'new') first.push(notice)
      all.push(notice)
    }
  }
  return all
}

function createNotice(
  { kind, id, seller }: Pick<SignedNotice, 'kind' | 'seller'> & { readonly id: string },
  now: Date,
): SignedNotice {
  const data = { sellers: [seller] }
  const body = JSON.stringify({ type: 'catalogue.changed', timestamp: now.toISOString(), data })
  const headers = signMessage([kind === 'forged' ? OTHER : BENCH_SECRET], { id, body }, now)
  return { kind, seller, headers, body }
}
