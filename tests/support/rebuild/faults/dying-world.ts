/** A world that simulates the death of its process at the n-th change: earlier changes remain, later calls throw. */
import type { RebuildState, World } from '../../../../src/builder/rebuild/world.ts'

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
  ],
  snapshot: ['applyWhole', 'applyPartial', 'applyPictures', 'writeLink'],
} as const
const WAITS = ['beginRun', 'compare', 'settle', 'settleComparison', 'postpone'] as const

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
  const wrapMethods = <T extends object>(target: T, names: readonly string[]): T => {
    const methods = target as Readonly<Record<string, Method>>
    return { ...target, ...Object.fromEntries(names.map((name) => [name, wrapMethod(methods[name] ?? die)])) }
  }
  const wrap = <K extends keyof typeof CHANGES>(name: K): RebuildState[K] =>
    wrapMethods(world.state[name], CHANGES[name])
  const snapshot = { ...wrap('snapshot'), waits: wrapMethods(world.state.snapshot.waits, WAITS) }
  return { ...world, state: { ...world.state, output: wrap('output'), record: wrap('record'), snapshot } }
}

/** Whether `run` dies in a world of `createDying`. It does not if it has fewer than `n` changes. */
export async function dies(
  run: (wrap: (world: World) => World) => Promise<unknown>,
  n: number,
  moment: 'before' | 'after',
): Promise<boolean> {
  try {
    await run((world) => createDying(world, n, moment))
    return false
  } catch (error) {
    if (error instanceof DeathError) return true
    throw error
  }
}

function die(): never {
  throw new DeathError('dead')
}
