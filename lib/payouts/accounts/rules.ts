/** What is sealed of an account: all that a bank needs to pay to it. */
export type AccountDetails =
  | { scheme: "iban"; holder: string; iban: string }
  | { scheme: "routing"; holder: string; country: string; bank: string; account: string };

/** The same of an account at the payment provider, which has the bank's details itself. */
export type ProviderDetails = { scheme: "provider"; account: string };
