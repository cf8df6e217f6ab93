/** A world that simulates the death of its process at the n-th change: earlier changes remain, later calls throw. */
import type { RebuildState, World } from '../../../src/builder/rebuild/world.ts'

export class DeathError extends Error {
  override readonly name = 'DeathError'
}

type Method = (...args: readonly unknown[]) => unknown

const CHANGES = {
  output: ['write', 'place', 'remove', 'tidy'],
  record: [
    'openGeneration',
    'writeCompiled',
    'writeInlineCode',
    'writeDataBasis',
    'markUnsure',
    'markUnsurePaths',
    'moveToGeneration',
    'write',
    'writeMarkers',
    'writeLinks',
    'writeTotals',
    'countPublish',
    'writePictures',
  ],
  snapshot: ['applyWhole', 'applyPartial', 'forgetChanged', 'markChanged', 'writeLink'],
} as const

/** `moment`: whether the n-th change itself is applied. */
export function createDying(world: World, n: number, moment: 'before' | 'after'): World {
  let count = 0
  const wrapMethod =
    (method: Method): Method =>
    (...args) => {
      count += 1
      if (count > n || (count === n && moment === 'before')) throw new DeathError('dead')
      const result = method(...args)
      if (count < n) return result
      if (result instanceof Promise) return result.then(die)
      return die()
    }
  const wrap = <K extends keyof typeof CHANGES>(name: K): RebuildState[K] => {
    const target = world.state[name] as unknown as Readonly<Record<string, Method>>
    const wrapped = CHANGES[name].map((key) => [key, wrapMethod(target[key] ?? die)])
    return { ...world.state[name], ...Object.fromEntries(wrapped) }
  }
  const state = { output: wrap('output'), record: wrap('record'), snapshot: wrap('snapshot') }
  return { ...world, state: { ...world.state, ...state } }
}

function die(): never {
  throw new DeathError('dead')
}
