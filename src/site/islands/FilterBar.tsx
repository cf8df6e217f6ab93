/** The controls of a catalogue: the three filter buttons, and the selects for order and decants. */
import { useStore } from '@nanostores/react'
import { useLayoutEffect } from 'react'
import {
  DECANT_CHOICES,
  EVERYTHING,
  FILTERS,
  ORDERS,
  PARAMETERS,
  parseChoice,
} from '../../domain/catalogue/view.ts'
import {
  DECANT_CHOICE_LABEL,
  DECANT_CHOICE_NAMES,
  FILTER_LABEL,
  FILTER_NAMES,
  ORDER_LABEL,
  ORDER_NAMES,
} from '../../domain/messages.ts'
import { $view, chooseView } from '../stores/visitor-view.ts'
import { takeOver } from './take-over.ts'

export function FilterBar() {
  const { filter: chosen } = useStore($view)
  useLayoutEffect(takeOver, [])
  return (
    <>
      {/* The view sets their values in the document: React would disturb a select that is open when it takes over. */}
      <div className="choices">
        <select
          name={PARAMETERS.order}
          aria-label={ORDER_LABEL}
          defaultValue={EVERYTHING.order}
          onChange={({ target }) => chooseView({ order: parseChoice(ORDERS, target.value) })}
        >
          {formatOptions(ORDER_NAMES)}
        </select>
        <select
          name={PARAMETERS.decants}
          aria-label={DECANT_CHOICE_LABEL}
          defaultValue={EVERYTHING.decants}
          onChange={({ target }) => chooseView({ decants: parseChoice(DECANT_CHOICES, target.value) })}
        >
          {formatOptions(DECANT_CHOICE_NAMES)}
        </select>
      </div>
      <div className="filters" role="group" aria-label={FILTER_LABEL}>
        {FILTERS.map((filter) => (
          <button
            key={filter}
            type="button"
            value={filter}
            aria-pressed={filter === chosen}
            onClick={() => chooseView({ filter })}
            // The inline script may have changed `aria-pressed` before hydration.
            suppressHydrationWarning
          >
            {FILTER_NAMES[filter]}
          </button>
        ))}
      </div>
    </>
  )
}

function formatOptions(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))
}
