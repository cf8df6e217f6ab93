import type { COORDINATOR_CALLS } from '../../domain/wire/calls.ts'
import { readNotice } from '../../domain/wire/notice.ts'
import type { Coordinator } from '../coordinator/coordinator.ts'
import { BLOCKED } from './call-guard.ts'
import type { Handlers } from './handlers.ts'
import { refuse } from './refuse.ts'

export const COORDINATOR_HANDLERS: Handlers<Coordinator, typeof COORDINATOR_CALLS> = {
  // Only builders may request a full read, which costs money, or name an unlimited number of new sellers.
  notify: async (coordinator, body, { id, isBuilder }) => {
    const notice = readNotice(body, id)
    if (notice.isFull && !isBuilder) return refuse(403)
    const answer = await coordinator.accept({ ...notice, isBounded: !isBuilder })
    if (answer.isTooMuch === true) return refuse(429, { 'retry-after': String(BLOCKED) })
    return Response.json(answer, { status: 202 })
  },
  claim: (coordinator, claim) => coordinator.claim(claim),
  renew: (coordinator, { lease }) => coordinator.renew(lease),
  report: (coordinator, report) => coordinator.report(report),
  status: (coordinator, { log }) => coordinator.status({ isLogWanted: log === true }),
  publish: (coordinator, call) => coordinator.publish(call),
  published: (coordinator, end) => coordinator.published(end),
  hold: (coordinator, hold) => coordinator.hold(hold),
  release: (coordinator, { by }) => coordinator.release({ by }),
  forced: (coordinator, forced) => coordinator.forced(forced),
}
