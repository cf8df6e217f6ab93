/** The `id` of the search form, to which controls outside the form refer. */
export const SEARCH_FORM = 'buscar'
