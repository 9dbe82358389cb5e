/** The message key of the tax of a country: Japan's is a consumption tax, all others are value added taxes. */
export const taxNameKey = (country: string) =>
  country === "JP" ? ("orders.tax.name.consumption" as const) : ("orders.tax.name.vat" as const);
