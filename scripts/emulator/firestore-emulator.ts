/** Starts a Firestore emulator in this process for tests. It is patched where it differs from Firestore. */
import { FirestoreServer, FirestoreState, FirestoreStateDocument } from '@firestore-emulator/server'
import { ServerCredentials } from '@grpc/grpc-js'

export interface Emulator {
  /** `host:port` of gRPC. */
  readonly host: string
  stop(): Promise<void>
}

teachNestedFields()
teachLimit()

export async function startEmulator(): Promise<Emulator> {
  const server = new FirestoreServer()
  const credentials = ServerCredentials.createInsecure()
  const port = await new Promise<number>((resolve, reject) => {
    server['server'].bindAsync('127.0.0.1:0', credentials, (error: Error | null, bound: number) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  return { host: `127.0.0.1:${port}`, stop: async () => server.stop() }
}

// Resolves field paths such as `owner.id` inside maps. Unpatched, the emulator looks up only fields at the top level.
function teachNestedFields(): void {
  const { prototype } = FirestoreStateDocument
  const readTopField = prototype.getField
  prototype.getField = function (path) {
    const [top = '', ...rest] = path.split('.')
    const step = (field: ReturnType<typeof readTopField>, name: string) =>
      field?.type === 'map_value' ? field.value[name] : undefined
    return rest.reduce(step, readTopField.call(this, top))
  }
}

/** Source: https://firebase.google.com/docs/firestore/query-data/queries#limits_on_or_queries */
const MAX_VALUES = 30

// Refuses more values after `in` than Firestore permits. Unpatched, the emulator takes any number.
function teachLimit(): void {
  const { prototype } = FirestoreState
  const query = prototype.v1Query
  prototype.v1Query = function (parent, asked) {
    const values = asked.where?.field_filter?.value?.array_value?.values ?? []
    if (values.length > MAX_VALUES) throw new Error(`a query has at most ${MAX_VALUES} values`)
    return query.call(this, parent, asked)
  }
}
