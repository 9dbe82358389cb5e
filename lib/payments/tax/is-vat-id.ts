import { checkVAT, countries } from "jsvat";
import { isInEu } from "./rules";
import { countryOfVatId } from "./rules-vat-id";

/** Whether this is a VAT id of an EU country by its form and, where the country has them, check digits. */
export const isVatId = (vatId: string): boolean =>
  isInEu(countryOfVatId(vatId)) && checkVAT(vatId, countries).isValid;
