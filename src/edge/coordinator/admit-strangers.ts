/** Bounds the sellers that are new to the site in notices of the low secret, which anybody may have made up. Pure. */
import type { CatalogueNotice } from '../../domain/wire/notice.ts'
import type { Ledger, LedgerStep, Moment } from './ledger.ts'

/**
 * Max sellers in a minute that no notice has named before. Each costs rows and a read of the source, also if it does not exist.
 * The notice that passes the bound is still accepted.
 */
export const MOST_STRANGERS = 600

const MINUTE = 60_000

/** Returns whether the notice is admitted. One that is signed with a secret of builders always is. */
export function admitStrangers(
  { standing, findChange }: Pick<Ledger, 'standing' | 'findChange'>,
  { sellers, isBounded = false }: CatalogueNotice,
  { now }: Pick<Moment, 'now'>,
): LedgerStep<boolean> {
  const added = isBounded ? sellers.filter((seller) => findChange(seller) === null).length : 0
  if (added === 0) return { changes: {}, answer: true }
  const isOver = Math.abs(now - standing.strangers.since) >= MINUTE
  const strangers = isOver ? { since: now, sellers: 0 } : standing.strangers
  if (strangers.sellers >= MOST_STRANGERS) return { changes: {}, answer: false }
  const counted = { ...strangers, sellers: strangers.sellers + added }
  return { changes: { standing: { ...standing, strangers: counted } }, answer: true }
}
