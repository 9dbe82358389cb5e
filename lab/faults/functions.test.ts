import { afterAll, expect, it } from "vitest";
import { rounds } from "@/tests/setup/rounds";
import * as sale from "@/tests/setup/sale";
import { SEED } from "@/tests/setup/shopper";
import { domainTrials } from "./concurrency-trials";

/** The short form of the trials of `npm run faults` that need no server; `npm test` runs the shortest. */
afterAll(sale.closeSale);

const useMinimum = (_full: number, minimum = 1) => Math.ceil(minimum / rounds(1, 3));

it.each(domainTrials(useMinimum, SEED))("%s", async (_, start) => {
  const { trials, violations } = await start();
  expect(violations).toEqual([]);
  expect(trials).toBeGreaterThan(0);
});
