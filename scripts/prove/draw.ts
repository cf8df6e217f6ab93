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

/** Draws exactly `count` values. Shrinking removes parts of the list: first halves, then ever smaller parts. */
export function drawMany<Value>(one: fc.Arbitrary<Value>, count: number): fc.Arbitrary<readonly Value[]> {
  return new Many(fc.array(one, { minLength: count, maxLength: count, size: 'max' }))
}

class Many<Value> extends fc.Arbitrary<readonly Value[]> {
  readonly #all: fc.Arbitrary<readonly Value[]>

  constructor(all: fc.Arbitrary<readonly Value[]>) {
    super()
    this.#all = all
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Value[]> {
    return this.#all.generate(random, bias)
  }

  canShrinkWithoutContext(value: unknown): value is readonly Value[] {
    return Array.isArray(value)
  }

  shrink(values: readonly Value[]): fc.Stream<fc.Value<readonly Value[]>> {
    return new fc.Stream(leaveOut(values)).map((left) => new fc.Value(left, undefined))
  }
}

function* leaveOut<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let size = values.length >> 1; size >= 1; size >>= 1)
    for (let from = 0; from < values.length; from += size) yield values.toSpliced(from, size)
}
