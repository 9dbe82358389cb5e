/** Country codes as a list of names in a language: "Japan and Taiwan". */
export function countryNames(codes: readonly string[], locale: string): string {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(
    codes.map((code) => names.of(code) ?? code),
  );
}
