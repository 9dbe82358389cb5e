import { afterAll, expect, it } from "vitest";
import * as sale from "@/tests/setup/sale";
import { SEED } from "@/tests/setup/shopper";
import { domainTrials } from "./concurrency-trials";

/** The short form of the trials of `npm run faults` that need no server. */
afterAll(sale.closeSale);

const useMinimum = (_full: number, minimum = 1) => minimum;

it.each(domainTrials(useMinimum, SEED))("%s", async (_, start) => {
  const { trials, violations } = await start();
  expect(violations).toEqual([]);
  expect(trials).toBeGreaterThan(0);
});
