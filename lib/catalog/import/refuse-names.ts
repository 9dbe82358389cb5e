import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { reason } from "@/lib/platform/error-messages";
import type { ErrorName } from "@/lib/platform/errors";
import { foldAlphanumerics } from "@/lib/platform/fold-text";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { foldLookalikes } from "@/lib/platform/lookalikes";
import { findNameFlaw } from "@/lib/platform/names";
import { shopNames } from "@/lib/platform/seller";
import type { ImportError, ProductRecord } from "./contract";
import type { ProductChange } from "./store-plans";

type Problem = { path: string; error: ErrorName };

/**
 * The lines whose vendor or product has a name that misleads its readers: letters that are not seen, the shop's name, that of
 * a merchant in other letters; in a merchant's own change also an address. Names that were there before stay.
 */
export async function refuseNames(
  tx: Tx,
  changes: readonly ProductChange[],
  previousRecords: ReadonlyMap<number, ProductRecord>,
  { byMerchant }: { byMerchant: boolean },
): Promise<Map<ProductChange, ImportError>> {
  const refusals = new Map<ProductChange, ImportError>();
  const shops = shopNames();
  const flawOf = (name: string) => {
    const flaw = findNameFlaw(name, shops);
    return flaw === "name_address" && !byMerchant ? null : flaw;
  };
  let merchants: Map<string, Set<string>> | undefined;
  const isLookalike = async (vendor: string) => {
    merchants ??= await readMerchantNames(tx);
    const names = merchants.get(foldLookalikes(vendor));
    return names !== undefined && !names.has(plainName(vendor));
  };
  for (const change of changes) {
    const { line, value } = change.parsed;
    const before = previousRecords.get(change.id);
    const problems: Problem[] = LOCALES.flatMap((locale) => {
      const name = value.texts[locale]?.name;
      const error = name !== undefined && name !== before?.texts[locale]?.name && flawOf(name);
      return error ? [{ path: `texts.${locale}.name`, error }] : [];
    });
    if (value.vendor !== before?.vendor) {
      const error = flawOf(value.vendor) ?? ((await isLookalike(value.vendor)) ? "name_taken" : null);
      if (error) problems.push({ path: "vendor", error });
    }
    const [problem] = problems;
    if (problem) refusals.set(change, { line, path: problem.path, ...reason(problem.error) });
  }
  return refusals;
}

/** A vendor's name in other capitals or with other spaces is still its name. */
const plainName = (name: string): string => foldAlphanumerics(name).toLowerCase();

/** The plain names of merchants that have not ended, by how a hasty reader perceives them. */
async function readMerchantNames(tx: Tx): Promise<Map<string, Set<string>>> {
  const rows = await tx.execute<{ name: string }>(sql`select name from merchants where state <> 'ended'`);
  const names = new Map<string, Set<string>>();
  for (const { name } of rows) {
    const folded = foldLookalikes(name);
    names.set(folded, (names.get(folded) ?? new Set()).add(plainName(name)));
  }
  return names;
}
