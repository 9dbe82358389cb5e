/** Documents the delivery choice of the calls that pay (docs/product.md#83-delivery). Stored consents name the version of this text. */
export const DELIVERY_CHOICE_DESCRIPTION = [
  "Paying asks for delivery at once, under the terms accepted at registration: `immediate_delivery` is true by default.",
  "The codes are then mailed, and the statutory right of withdrawal ends for each code once it was shown or mailed.",
  "`keep_in_library` keeps the codes of refundable lines in the Library instead: unseen, and to be given back until they are revealed.",
  "With `immediate_delivery: false` all codes lie unseen in the Library. `/library/reveal` is then the consent.",
  "A value in the call counts most, then an earlier choice of the order, then the default. The payment fixes the choice.",
].join(" ");

/** Documents `choose_later` of the call that opens a payment. */
export const CHOOSE_LATER_DESCRIPTION =
  "With `choose_later: true` no default is stored, because the buyer still chooses by `/order/update-delivery`. Paid without a choice, codes stay unrevealed where the law gives a right of withdrawal, and are mailed elsewhere.";
