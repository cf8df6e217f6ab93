/** A clock of a Worker that a test moves. It is loaded before the code that reads it. */
const read = Date.now
/** In milliseconds. */
let ahead = 0

Date.now = () => read() + ahead

export function pass(time: number): void {
  ahead += time
}
