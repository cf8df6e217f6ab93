/**
 * Random happenings for fast-check: plain JavaScript objects whose `kind` is the name of an event. TypeScript infers
 * the types of happenings from the calls of `draw`.
 */
import fc from 'fast-check'

export type Drawn<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never

type Fields<Values> = { readonly [Name in keyof Values]: fc.Arbitrary<Values[Name]> }

/** Draws a happening with one of `kinds` as its `kind`, and with a value for each of `fields`. */
export function draw<const Kind extends string, Values = unknown>(
  kinds: Kind | readonly Kind[],
  fields: Fields<Values> = {} as Fields<Values>,
): fc.Arbitrary<{ readonly kind: Kind } & Readonly<Values>> {
  const kind = fc.constantFrom<Kind>(...(typeof kinds === 'string' ? [kinds] : kinds))
  return fc.record({ kind, ...fields }) as fc.Arbitrary<{ readonly kind: Kind } & Readonly<Values>>
}

/** Draws a value from one of the arbitraries. Each is chosen with a probability in proportion to its weight. */
export function drawOne<Values extends readonly unknown[]>(
  ...all: { readonly [Index in keyof Values]: readonly [weight: number, fc.Arbitrary<Values[Index]>] }
): fc.Arbitrary<Values[number]> {
  const choices = all as readonly (readonly [number, fc.Arbitrary<Values[number]>])[]
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}
