/** Starts a Firestore emulator in this process for tests. It is patched where it differs from Firestore. */
import { FirestoreServer, FirestoreStateDocument } from '@firestore-emulator/server'
import { ServerCredentials } from '@grpc/grpc-js'

export interface Emulator {
  /** `host:port` of gRPC. */
  readonly host: string
  stop(): Promise<void>
}

teachNestedFields()

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
