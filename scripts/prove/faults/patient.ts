/**
 * Loaded before the real command (`node --import`): lengthens timeouts, so that no picture depends on how busy the
 * machine is.
 */
const LONGER = 20
const { timeout } = AbortSignal

AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * LONGER)
