/** The controls of a catalogue: the three filter buttons with product counts, and the selects for order and decants. */
import { useStore } from '@nanostores/react'
import { createNaturalSearch } from '../../../domain/catalogue/natural-search.ts'
import { EVERYTHING, FILTERS, PARAMETERS } from '../../../domain/catalogue/view.ts'
import {
  DECANT_CHOICE_LABEL,
  DECANT_CHOICE_NAMES,
  FILTER_LABEL,
  FILTER_NAMES,
  ORDER_LABEL,
  ORDER_NAMES,
} from '../../../domain/messages.ts'
import { $shown } from '../../stores/shown-view.ts'
import type { Follower } from './follower.ts'
import { FOLLOWER } from './follower.ts'

// Runs before hydration. The inline script reacts to the event by calling `show` with the current `View`, which React
// then renders.
if (typeof document !== 'undefined') {
  const detail: Follower = { createSearch: createNaturalSearch, show: (shown) => $shown.set(shown) }
  dispatchEvent(new CustomEvent(FOLLOWER, { detail }))
}

/**
 * Shows the current `View`. The page's inline script handles the input, and may already show a newer `View` than the
 * one that React hydrates. React then renders the newer `View` next, and throws no error.
 */
export function FilterBar() {
  const { view, counts } = useStore($shown) ?? { view: EVERYTHING, counts: null }
  return (
    <>
      <div className="filters" role="group" aria-label={FILTER_LABEL}>
        {FILTERS.map((filter) => (
          <button key={filter} value={filter} aria-pressed={filter === view.filter}>
            {`${FILTER_NAMES[filter]} `}
            <small aria-hidden="true" suppressHydrationWarning>
              {counts?.[filter]}
            </small>
          </button>
        ))}
      </div>
      <div className="choices">
        <Chip part="order" label={ORDER_LABEL} names={ORDER_NAMES} value={view.order} />
        <Chip part="decants" label={DECANT_CHOICE_LABEL} names={DECANT_CHOICE_NAMES} value={view.decants} />
      </div>
    </>
  )
}

interface ChipProps<Choice extends string> {
  readonly part: 'order' | 'decants'
  readonly label: string
  readonly names: Readonly<Record<Choice, string>>
  readonly value: Choice
}

/**
 * An invisible select on top of a text, which is its label or the name of the chosen value. The inline script sets the
 * value of the select, because React would disturb an open select.
 */
function Chip<Choice extends string>({ part, label, names, value }: ChipProps<Choice>) {
  const isChosen = value !== EVERYTHING[part]
  return (
    <span className="chip">
      <span aria-hidden="true" suppressHydrationWarning>
        {isChosen ? names[value] : label}
      </span>
      <select name={PARAMETERS[part]} aria-label={label} defaultValue={EVERYTHING[part]}>
        {Object.entries<string>(names).map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
