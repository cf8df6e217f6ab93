/**
 * Loaded before the real command (`node --import`): lengthens timeouts, so that no picture is missing because the
 * machine is busy.
 */
const LONGER = 20
const { timeout } = AbortSignal

AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * LONGER)
