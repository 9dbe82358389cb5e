/** The statutory right of withdrawal for distance contracts: 14 days, without a reason. */
export const WITHDRAWAL_DAYS = 14;

/** Where the statutory right of withdrawal applies: the European Union, the European Economic Area, the United Kingdom. */
export const WITHDRAWAL_COUNTRIES: readonly string[] = `
  AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK AX GF GP MF MQ RE YT IS LI NO GB
`
  .trim()
  .split(/\s+/);

export const hasWithdrawalRight = (country: string): boolean => WITHDRAWAL_COUNTRIES.includes(country);

/** What a reader sees about the right: before an order by country, then open until a code is seen or the days are over. */
export const RIGHT_STATES = ["by_country", "open", "seen", "over"] as const;
