/**
 * Makes the emulator's listeners for queries send only changed documents, as Firestore does, unless a document was
 * removed. Unpatched, they send all documents after each change.
 */
import { FirestoreState } from '@firestore-emulator/server'

type Send = Parameters<FirestoreState['v1Listen']>[1]
type Response = Parameters<Send>[0]

/** The time of the newest update of each document, by name. */
type Times = ReadonlyMap<string, string>

// A response of this type marks the end of a consistent state. Source: google.firestore.v1.TargetChange, `NO_CHANGE`.
const NO_CHANGE = 0

export function teachListeners(): void {
  const listen = FirestoreState.prototype.v1Listen
  FirestoreState.prototype.v1Listen = function (request, send, onEnd) {
    listen.call(this, request, request.add_target.has_query ? sendChanges(send) : send, onEnd)
  }
}

/**
 * Returns a function that sends only the documents that differ from the previous state. The first time, and after a
 * document was removed, it sends the whole state, as the unpatched emulator does.
 */
function sendChanges(send: Send): Send {
  let known: Times | null = null
  let state: Response[] = []
  return (response) => {
    state.push(response)
    if (!isEnd(response)) return
    const times = readTimes(state)
    for (const message of known === null || hasLost(known, times) ? state : pickChanges(state, known))
      send(message)
    known = times
    state = []
  }
}

function pickChanges(state: readonly Response[], known: Times): readonly Response[] {
  const changed = state.filter((response) => {
    const document = readDocument(response)
    return document !== null && known.get(document.name) !== document.time
  })
  return changed.length === 0 ? [] : [...changed, ...state.slice(-1)]
}

function hasLost(known: Times, times: Times): boolean {
  return [...known.keys()].some((name) => !times.has(name))
}

function readTimes(state: readonly Response[]): Times {
  return new Map(
    state.flatMap((response) => readDocument(response) ?? []).map(({ name, time }) => [name, time]),
  )
}

function readDocument(response: Response): { readonly name: string; readonly time: string } | null {
  if (!response.has_document_change) return null
  const { name, update_time: time } = response.document_change.document
  return { name, time: `${time.seconds}.${time.nanos}` }
}

function isEnd(response: Response): boolean {
  return response.has_target_change && response.target_change.target_change_type === NO_CHANGE
}
