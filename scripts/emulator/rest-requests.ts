/**
 * Schemas of the request bodies that the emulator's REST API accepts. Other fields or values are refused, except inside
 * `readOnly`.
 */
import {
  array,
  boolean,
  integer,
  literal,
  minValue,
  number,
  object,
  optional,
  pipe,
  strictObject,
  string,
  tuple,
} from 'valibot'

const NAMED = strictObject({ fieldPath: string() })
const CONSISTENCY = {
  transaction: optional(string()),
  newTransaction: optional(strictObject({ readOnly: object({}) })),
}
export const BATCH_GET = strictObject({
  documents: array(string()),
  mask: optional(strictObject({ fieldPaths: array(string()) })),
  ...CONSISTENCY,
})
const QUERY = strictObject({
  select: optional(strictObject({ fields: array(NAMED) })),
  from: tuple([strictObject({ collectionId: string() })]),
  where: optional(
    strictObject({
      fieldFilter: strictObject({
        field: strictObject({ fieldPath: literal('owner.id') }),
        op: literal('EQUAL'),
        value: strictObject({ stringValue: string() }),
      }),
    }),
  ),
  orderBy: optional(
    tuple([
      strictObject({
        field: strictObject({ fieldPath: literal('__name__') }),
        direction: literal('ASCENDING'),
      }),
    ]),
  ),
  startAt: optional(
    strictObject({ values: tuple([strictObject({ referenceValue: string() })]), before: boolean() }),
  ),
  limit: optional(pipe(number(), integer(), minValue(0))),
})
export const RUN_QUERY = strictObject({ structuredQuery: QUERY, ...CONSISTENCY })
export const BEGIN = strictObject({ options: optional(strictObject({ readOnly: object({}) })) })
export const ROLLBACK = strictObject({ transaction: string() })
