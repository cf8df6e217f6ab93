/**
 * Starts a Firestore emulator in this process, patched where it differs from Firestore. For tests, the bench and the
 * demo.
 */
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

// The emulator looks up field paths such as `owner.id` at the top level only.
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

// The emulator copies the whole collection for each new document: 100,000 documents would take hours.
function teachManyDocuments(): void {
  FirestoreStateCollection.prototype.getDocument = function (name) {
    const found = Object.hasOwn(this['documents'], name) ? this['documents'][name] : undefined
    if (found !== undefined) return found
    const document = new FirestoreStateDocument(this['emitter'], this.database, this, name, {}, {})
    this['documents'][name] = document
    return document
  }
}
