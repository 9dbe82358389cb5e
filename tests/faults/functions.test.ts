import { afterAll, expect, it, vi } from "vitest";
import * as sale from "../setup/sale";
import { SEED } from "./shopper";
import { domainTrials } from "./concurrency-trials";

/** The short form of the part of `npm run faults` that needs no server: the shop's functions, many at once. */
vi.setConfig({ testTimeout: 300_000 });
afterAll(sale.closeSale);

const least = (_full: number, least = 1) => least;

it.each(domainTrials(least, SEED))("%s", async (_, start) => {
  const { trials, violations } = await start();
  expect(violations).toEqual([]);
  expect(trials).toBeGreaterThan(0);
});
