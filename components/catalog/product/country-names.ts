import { memoize } from "@/lib/platform/memoize";

const regionNames = memoize((locale) => new Intl.DisplayNames(locale, { type: "region" }));
const listFormat = memoize((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));

/** Country codes as a list of names in a language: "Japan and Taiwan". */
export const countryNames = (codes: readonly string[], locale: string): string =>
  listFormat(locale).format(codes.map((code) => regionNames(locale).of(code) ?? code));
