/** The beginning of a text in UTF-16 units, without half of a surrogate pair, which neither emails nor Postgres can carry. */
export const beginning = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
