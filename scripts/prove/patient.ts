/** Loaded before the real command (`node --import`): it waits longer for pictures, so that none depends on how busy the machine is. */
const LONGER = 20
const { timeout } = AbortSignal

AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * LONGER)
