/** A preload for every thread of a command: writing a page that contains a poison kills or blocks the thread. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** The effect of each product name on the worker that renders its page. */
const POISONS: Readonly<Record<string, () => void>> = {
  'poison-memory': () => {
    const all: number[][] = []
    for (;;) all.push(Array.from(new Float64Array(1_000_000)))
  },
  'poison-uncaught': () => void setImmediate(() => fail('poisoned on purpose')),
}

const write = fs.writeFileSync

// On a single core no worker would start.
os.availableParallelism = () => 2

if (!isMainThread) {
  fs.writeFileSync = (file, data, ...rest) => {
    for (const [name, act] of Object.entries(POISONS)) if (readBytes(data).includes(name)) act()
    write(file, data, ...rest)
  }
}
syncBuiltinESMExports()

// These bytes alone: the memory around them may hold an earlier page, also one of a worker that ended.
function readBytes(data: string | NodeJS.ArrayBufferView): Buffer {
  return typeof data === 'string'
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

function fail(message: string): never {
  throw new Error(message)
}
