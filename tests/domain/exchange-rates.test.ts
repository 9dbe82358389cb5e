import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { findRates } from "@/lib/payments/exchange-rates/get-exchange-rates";
import { refreshExchangeRates } from "@/lib/payments/exchange-rates/refresh-exchange-rates";
import { env } from "@/lib/platform/env";

let server: Server;
let answer: { status: number; body: string };
beforeEach(async () => {
  await client()`delete from exchange_rates`;
  server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  env().EXCHANGE_RATES_URL = `http://localhost:${(server.address() as AddressInfo).port}/latest`;
});
afterEach(() => {
  env().EXCHANGE_RATES_URL = undefined;
  server.close();
});
afterAll(closeDatabase);

const feed = (rates: object, date = "2026-11-23") => {
  answer = { status: 200, body: JSON.stringify({ date, base: "USD", rates }) };
};

describe("the feed of exchange rates", () => {
  it("replaces the rates of the file", async () => {
    feed({ JPY: 150.1, EUR: 0.85 });
    expect(await refreshExchangeRates()).toBe(true);
    expect(await findRates()).toMatchObject({ day: "2026-11-23", rates: { JPY: 150.1, EUR: 0.85 } });
    feed({ JPY: 151, EUR: 0.84 }, "2026-11-24");
    await refreshExchangeRates();
    expect(await findRates()).toMatchObject({ day: "2026-11-24", rates: { JPY: 151, EUR: 0.84 } });
  });

  it("changes nothing when it fails, is not JSON, or is implausible", async () => {
    feed({ JPY: 150.1 });
    await refreshExchangeRates();
    answer = { status: 500, body: "" };
    await expect(refreshExchangeRates()).rejects.toThrow(/answered 500/);
    answer = { status: 200, body: "<html>" };
    await expect(refreshExchangeRates()).rejects.toThrow();
    feed({ JPY: 1.5 });
    await expect(refreshExchangeRates()).rejects.toThrow(/JPY is implausible/);
    expect(await findRates()).toMatchObject({ rates: { JPY: 150.1 } });
  });

  it("is optional: without it the file counts, even over previously fetched rates", async () => {
    feed({ JPY: 150.1 });
    await refreshExchangeRates();
    env().EXCHANGE_RATES_URL = undefined;
    expect(await refreshExchangeRates()).toBe(false);
    expect((await findRates()).rates.JPY).toBe(154.5);
  });
});
