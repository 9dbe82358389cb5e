import { remember } from "@/lib/platform/memoize";

const regionNames = remember((locale) => new Intl.DisplayNames(locale, { type: "region" }));
const listFormat = remember((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));

/** Country codes as a list of names in a language: "Japan and Taiwan". */
export const countryNames = (codes: readonly string[], locale: string): string =>
  listFormat(locale).format(codes.map((code) => regionNames(locale).of(code) ?? code));
