/** The interface to SQLite that a Durable Object has. */

export type Value = string | number | null

/** Runs one statement per call. */
export interface Sql {
  exec(query: string, ...bindings: readonly Value[]): { toArray(): readonly unknown[] }
}

export type Read = <Row>(query: string, ...bindings: readonly Value[]) => readonly Row[]
