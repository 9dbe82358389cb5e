import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { importKeys, type KeyImportCounts } from "@/lib/delivery/import/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { auditSale } from "./audit";
import { type Line, lineOf } from "./table";

const FILES = 8;
const CODES = 25;

/** The same code as other hands write it. */
const WRITINGS = [
  (code: string) => code,
  (code: string) => code.toLowerCase(),
  (code: string) => ` ${code} `,
  (code: string) => code.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
];

async function* fileOf(lines: string[]) {
  yield Buffer.from(`product,plan,key\n${lines.join("\n")}\n`);
}

/** Files with the same codes in other writings, for two makers' passes, at once: each code is in stock once. */
export const importedOnce = (rounds: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "The same key text imports once",
      trial: `a line of ${FILES} files at once, with the same ${CODES} codes for two products`,
      seed,
    },
    async (line) => {
      for (let round = 0; round < rounds; round++) {
        const products = [await createProduct({ plans: [{}] }), await createProduct({ plans: [{}] })];
        const codes = Array.from({ length: CODES }, () => `ONCE-${randomUUID().toUpperCase()}`);
        const options = Array.from({ length: FILES }, (_, at) => {
          const { slug } = products[at % 2]!;
          const lines = codes.map((code) => `${slug},week,${WRITINGS[(at >> 1) % WRITINGS.length]!(code)}`);
          return importKeys(fileOf(at % 3 === 0 ? lines : lines.toReversed()), {
            onStock: enqueueAssignWaiting,
          });
        });
        const counts: KeyImportCounts[] = await Promise.all(options);
        line.trials += FILES * CODES;
        const sum = (name: keyof KeyImportCounts) => counts.reduce((all, one) => all + one[name], 0);
        const plans = products.map((product) => product.plans[0]!.id);
        const [stock] = await db.execute<{ n: number; texts: number }>(
          sql`select count(*)::int as n, count(distinct fingerprint)::int as texts from keys where plan_id in ${plans}`,
        );
        const all = sum("added") + sum("unchanged") + sum("refused");
        if (stock?.n !== CODES || stock.texts !== CODES || sum("added") !== CODES || all !== FILES * CODES)
          line.violations.push(`${JSON.stringify(stock)} in stock, ${sum("added")} said to be new of ${all}`);
      }
      line.violations.push(...(await auditSale()));
    },
  );
