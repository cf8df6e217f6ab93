/** What the coordinator remembers of publishing: what is live, who is about to replace it, whether that is held. */

export interface Publishing {
  /** What was put live last, as far as its publisher told. */
  readonly live: Published | null
  /** What may have been put live: its publisher was not heard of any more. */
  readonly doubtful: Published | null
  readonly lease: PublishLease | null
  /** The lease that ended last: its publisher may not have got the answer, and tell again. */
  readonly ended: string
  readonly held: { readonly since: number; readonly reason: string } | null
}

/** A version of the site. `sequence` is that of the state it was made from; 0 when no claim led to it. */
export interface Published {
  readonly version: string
  readonly sequence: number
  readonly at: number
}

/** Whoever has it may put its version live. */
export interface PublishLease {
  readonly id: string
  readonly version: string
  readonly sequence: number
  readonly until: number
}

export const NOTHING_PUBLISHED: Publishing = {
  live: null,
  doubtful: null,
  lease: null,
  ended: '',
  held: null,
}

/** As it is now: of a publisher that was not heard of any more, nobody knows how far it came. */
export function settlePublishing(publishing: Publishing, now: number): Publishing {
  const { lease } = publishing
  if (lease === null || now < lease.until) return publishing
  const { version, sequence, until } = lease
  return { ...publishing, lease: null, doubtful: { version, sequence, at: until } }
}

/** The newest that is, or may be, live. */
export function findNewest({ live, doubtful }: Publishing): Published | null {
  return doubtful ?? live
}
