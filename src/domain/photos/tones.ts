/**
 * The placeholder colours of photos, muted like the average colours of photos. The list is fixed, because the security
 * policy forbids inline styles: each colour has a class, such as `.t3` for the colour with index 3.
 */
export const TONES = [
  '#f4f1ee',
  '#d3cdc8',
  '#97918d',
  '#4f4a48',
  '#1f1c1c',
  '#e8c9a4',
  '#b07c4a',
  '#5f3b24',
  '#e7b3b3',
  '#9c3b45',
  '#c9b5dd',
  '#5b4a86',
  '#a9c4e4',
  '#3d5f92',
  '#a8cfb4',
  '#3f6e52',
] as const
