import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { importKeys } from "@/lib/delivery/import/import-keys";
import type { KeyImportCounts } from "@/lib/delivery/import/import-options";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { auditSale } from "@/tests/setup/audit";
import { runTrial, type TrialResult } from "./table";

const FILES = 8;
const CODES = 25;

/** Different spellings of the same code. */
const SPELLINGS = [
  (code: string) => code,
  (code: string) => code.toLowerCase(),
  (code: string) => ` ${code} `,
  (code: string) =>
    code.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
];

async function* csvFile(lines: string[]) {
  yield Buffer.from(`product,plan,key\n${lines.join("\n")}\n`);
}

/**
 * Imports files with different spellings of the same codes, for two products, concurrently: each code is in stock
 * once.
 */
export const concurrentImports = (rounds: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "The same key text imports once",
      trial: `a line of ${FILES} files at once, with the same ${CODES} codes for two products`,
      seed,
    },
    async (result) => {
      for (let round = 0; round < rounds; round++) {
        const products = [await createProduct({ plans: [{}] }), await createProduct({ plans: [{}] })];
        const codes = Array.from({ length: CODES }, () => `ONCE-${randomUUID().toUpperCase()}`);
        const imports = Array.from({ length: FILES }, (_, index) => {
          const { slug } = products[index % 2]!;
          const lines = codes.map(
            (code) => `${slug},week,${SPELLINGS[(index >> 1) % SPELLINGS.length]!(code)}`,
          );
          return importKeys(csvFile(index % 3 === 0 ? lines : lines.toReversed()), {
            onStock: enqueueAssignWaiting,
          });
        });
        const counts: KeyImportCounts[] = await Promise.all(imports);
        result.trials += FILES * CODES;
        const sum = (name: keyof KeyImportCounts) => counts.reduce((total, count) => total + count[name], 0);
        const plans = products.map((product) => product.plans[0]!.id);
        const [stock] = await db.execute<{ n: number; codes: number }>(
          sql`select count(*)::int as n, count(distinct fingerprint)::int as codes from keys where plan_id in ${plans}`,
        );
        const all = sum("added") + sum("unchanged") + sum("refused");
        if (stock?.n !== CODES || stock.codes !== CODES || sum("added") !== CODES || all !== FILES * CODES)
          result.violations.push(
            `${JSON.stringify(stock)} in stock, ${sum("added")} reported as added of ${all}`,
          );
      }
      result.violations.push(...(await auditSale()));
    },
  );
