/** What separates the fields of a file, the usual first. Spreadsheets choose by the language of the computer. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Whether a line holds no value: cleared rows leave their delimiters behind. */
export const isBlankRow = (text: string): boolean => /^(?:[\s,;|]|"\s*")*$/.test(text);

/** The delimiter that a first line `sep=;` names, which spreadsheets neither show nor count as a row. */
export function declaredDelimiter(text: string): Delimiter | undefined {
  const [, named] = /^\s*"?sep=(.)"?[\s,;|]*$/i.exec(text) ?? [];
  return DELIMITERS.find((one) => one === named);
}
