/** The `id` of the search form. A control outside of the form names it. */
export const SEARCH_FORM = 'buscar'
