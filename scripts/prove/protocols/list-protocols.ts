/** Lists the models of all protocols that order writes. */
import { indexOrder } from './index-order.ts'
import { objectOrder } from './object-order.ts'
import type { Protocol } from './protocol.ts'
import { waitingRows } from './waiting-rows.ts'

export const PROTOCOLS: readonly Protocol[] = [objectOrder, indexOrder, waitingRows]
