import { memoize } from "@/lib/platform/memoize";

const regionNames = memoize((locale) => new Intl.DisplayNames(locale, { type: "region" }));
const listFormat = memoize((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));

/** Formats country codes as a localized list of names, such as "Japan and Taiwan". */
export const countryNames = (codes: readonly string[], locale: string): string =>
  listFormat(locale).format(codes.map((code) => regionNames(locale).of(code) ?? code));
