/** A port of this process that leads to another one. Held while nothing is there, so that no other program takes it. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export class HeldPort {
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#lead(socket))
  /** The address behind it; with `null` every connection is closed at once. */
  target: URL | null = null

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #lead(socket: Socket): void {
    if (this.target === null) return void socket.destroy()
    const behind = connect(Number(this.target.port), this.target.hostname)
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      this.#sockets.add(from)
      // Received bytes are passed on before the end.
      from.on('error', () => to.end())
      from.on('close', () => this.#sockets.delete(from))
      from.pipe(to)
    }
  }
}
