/** Faults between a rebuild and Firestore: servers that refuse or stay silent, and broken connections. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import type { ServerWritableStream } from '@grpc/grpc-js'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { onTestFinished } from 'vitest'

/** A gRPC status; `silence` never answers, `empty` answers a query with nothing. */
export type FirestoreAnswer = { readonly code: number; readonly details: string } | 'silence' | 'empty'

/** Pause before a reset, which discards bytes that the client has not read yet. In milliseconds. */
const ARRIVAL = 30

type Call = ServerWritableStream<Buffer, Buffer>

// A RunQueryResponse: `read_time` of one second, `done`.
const EMPTY = Buffer.from([0x1a, 0x02, 0x08, 0x01, 0x30, 0x01])

/** Answers each call with the next of `answers`, then repeats the last. Stopped after the test. */
export async function startFaultyFirestore(
  ...answers: readonly FirestoreAnswer[]
): Promise<{ host: string; calls: number }> {
  const server = new Server()
  const told = { host: '', calls: 0 }
  const handle = (call: Call): void => {
    const answer = answers[Math.min(told.calls, answers.length - 1)]
    told.calls += 1
    if (answer === 'silence' || answer === undefined) return
    if (answer !== 'empty') return void call.emit('error', answer)
    call.write(EMPTY)
    call.end()
  }
  const methods = ['RunQuery', 'BatchGetDocuments'].map((name) => [name, describeMethod(name)])
  server.addService(Object.fromEntries(methods), { RunQuery: handle, BatchGetDocuments: handle })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  onTestFinished(() => server.forceShutdown())
  told.host = `127.0.0.1:${port}`
  return told
}

function describeMethod(name: string): object {
  const pass = (bytes: Buffer): Buffer => bytes
  return {
    path: `/google.firestore.v1.Firestore/${name}`,
    requestStream: false,
    responseStream: true,
    requestSerialize: pass,
    requestDeserialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  }
}

/** Forwards bytes to `target`. Breaks each connection after a number of response bytes. Returns its `host:port`. */
export async function startBreakingProxy(target: string, after: number): Promise<string> {
  const [name = '', port = ''] = target.split(':')
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), name)
    let count = 0
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      const room = Math.max(0, after - count)
      count += bytes.length
      if (bytes.length <= room) return void client.write(bytes)
      upstream.pause()
      client.write(bytes.subarray(0, room))
      setTimeout(() => client.resetAndDestroy(), ARRIVAL)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}
