import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { closeDatabase } from "@/db/client";
import { createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { InsightPageInput } from "@/lib/merchants/insight/contract";
import { getInsight } from "@/lib/merchants/insight/queries";
import { listDayFigures } from "@/lib/orders/insight/queries";
import { env } from "@/lib/platform/env";
import { type Observer, telemetry } from "@/lib/platform/telemetry/telemetry";
import { EmptySearchesInput, SourceDaysInput, SourcesInput } from "@/lib/tracking/insight/contract";
import { getSourceDays, listEmptySearches, listSources } from "@/lib/tracking/insight/queries";

// The worker's database stands in for a replica that has caught up; the pool of a statement says where it was sent.
vi.mock("@/db/replica", () => ({
  Replica: class {
    isCaughtUp = () => Promise.resolve(true);
    isFailedBy = () => false;
    close() {}
  },
}));

const pools: string[] = [];
const observer: Observer = (operation, run) => {
  if (operation.kind === "statement") pools.push(String(operation.attributes?.["passlane.pool"]));
  return run();
};
let seller: Seller;

beforeAll(async () => {
  seller = await createSeller(await createMerchant());
  await closeDatabase();
  telemetry.observers.push(observer);
  Object.assign(env(), { DATABASE_REPLICA_URL: env().DATABASE_DIRECT_URL });
});
afterAll(async () => {
  Object.assign(env(), { DATABASE_REPLICA_URL: undefined });
  telemetry.observers.splice(telemetry.observers.indexOf(observer), 1);
  await closeDatabase();
});

it.each([
  ["figures of days", () => listDayFigures(30)],
  ["sources", () => listSources(SourcesInput.parse({}))],
  ["days of a source", () => getSourceDays(SourceDaysInput.parse({ came_from: "newsletter" }))],
  ["searches without results", () => listEmptySearches(EmptySearchesInput.parse({ locale: "ja" }))],
  ["a merchant's insight", () => getInsight(seller.member, InsightPageInput.parse({}), "en")],
])("%s are read from the replica alone", async (_, read) => {
  pools.length = 0;
  await read();
  expect(pools.length).toBeGreaterThan(0);
  expect(new Set(pools)).toEqual(new Set(["replicaLists"]));
});
