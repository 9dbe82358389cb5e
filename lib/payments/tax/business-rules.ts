import { readFile } from "node:fs/promises";
import builtIn from "@/db/seed/tax-rates.json";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { type BusinessRule, parseTaxRates } from "./rules-rates";
import { countryOfVatId, type VatCheck } from "./rules-vat-id";

/** How countries outside of the EU treat businesses, by the file of rates (docs/product.md#821-tax). */
export async function readBusinessRules(): Promise<BusinessRule[]> {
  const shipped = parseTaxRates(builtIn).businesses;
  const { TAX_RATES_FILE: file } = env();
  if (!file) return shipped;
  try {
    const own = parseTaxRates(JSON.parse(await readFile(file, "utf8"))).businesses;
    return [...own, ...shipped.filter(({ country }) => !own.some((rule) => rule.country === country))];
  } catch (error) {
    log.error({ err: error, file }, "tax rates: the file is not usable");
    return shipped;
  }
}

/** The country of a business that owes the tax of its order itself by its VAT id; null: a consumer, or one that is charged the tax. */
export async function findVatCountry({
  vatId,
  vatCheck,
}: {
  vatId: string | null;
  vatCheck: VatCheck | null;
}): Promise<string | null> {
  if (!vatId) return null;
  if (vatCheck === "valid") return countryOfVatId(vatId);
  if (vatCheck !== "recorded") return null;
  const rule = (await readBusinessRules()).find(({ id }) => id.test(vatId));
  return rule?.reverseCharge ? rule.country : null;
}
