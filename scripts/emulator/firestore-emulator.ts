/** Firestore without Google: an emulator in this process, taught what it lacks. For tests and the demo. */
import { FirestoreServer, FirestoreStateCollection, FirestoreStateDocument } from '@firestore-emulator/server'
import { findFreePort } from '../../src/builder/publish/local-edge.ts'
import { teachListeners } from './firestore-listeners.ts'

export interface Emulator {
  /** `host:port` */
  readonly host: string
  stop(): Promise<void>
}

teachNestedFields()
teachManyDocuments()
teachListeners()

export async function startEmulator(): Promise<Emulator> {
  const server = new FirestoreServer()
  const port = await findFreePort()
  await server.start(port)
  return { host: `127.0.0.1:${port}`, stop: async () => server.stop() }
}

// The emulator looks for `owner.id` at the top of a document only.
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

// The emulator makes a copy of the whole collection for each new document: hours for 100,000.
function teachManyDocuments(): void {
  FirestoreStateCollection.prototype.getDocument = function (name) {
    const found = Object.hasOwn(this['documents'], name) ? this['documents'][name] : undefined
    if (found !== undefined) return found
    const document = new FirestoreStateDocument(this['emitter'], this.database, this, name, {}, {})
    this['documents'][name] = document
    return document
  }
}
