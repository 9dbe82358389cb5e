import type postgres from "postgres";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { cacheStatus } from "@/tests/faults/cache-pages";
import { clientAddress } from "@/tests/setup/client-address";
import { sendRequest } from "@/tests/setup/send-request";
import { shopperAt, sleep } from "@/tests/setup/shopper";

const LANES = 4;
const WRITE_EVERY_MS = 250;
/** A change that is not shown this long after its commit was confirmed is stale. */
const SHOWN_WITHIN_MS = 1_000;
const CHANGE_EVERY_MS = 150;

/** Writes through the shop all the time, to find how long none succeeded. */
export class WriteProbe {
  private isStopped = false;
  private readonly successes: number[] = [];
  private lanes: Promise<unknown>[] = [];

  static async start(address: string): Promise<WriteProbe> {
    const probe = new WriteProbe();
    const { id } = await createProduct();
    const shoppers = [];
    for (let lane = 0; lane < LANES; lane++) shoppers.push(shopperAt(address, await createSignedInUser()));
    probe.lanes = shoppers.map(async (shopper) => {
      for (let n = 0; !probe.isStopped; n++) {
        const path = n % 2 === 0 ? "/wishlist/add" : "/wishlist/remove";
        const { code } = await shopper(path, { product_id: id });
        if (code === "200") probe.successes.push(performance.now());
        await sleep(WRITE_EVERY_MS);
      }
    });
    return probe;
  }

  /** Milliseconds of the longest time since `since` (of `performance.now()`) in which no write succeeded. */
  gapSince(since: number): number {
    const times = [since, ...this.successes.filter((time) => time > since), performance.now()];
    return Math.max(...times.slice(1).map((time, index) => time - times[index]!));
  }

  /** Resolves after the next success of a write that was sent after this call. */
  async waitForSuccess(): Promise<void> {
    // Each lane may have one write under way.
    const count = this.successes.length + LANES;
    while (this.successes.length <= count) await sleep(50);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }
}

/** Changes a price through the pooler again and again, and looks for it on the pages of every instance. */
export class PriceChanges {
  changes = 0;
  reads = 0;
  /** Reads that showed the price only when asked again, within a second. */
  late = 0;
  markedStale = 0;
  refused = 0;
  readonly stale: string[] = [];
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();

  static async start(sql: postgres.Sql, addresses: () => string[]): Promise<PriceChanges> {
    const changes = new PriceChanges();
    const product = await createProduct({ plans: [{ keys: 3, priceCents: 1_000 }] });
    changes.running = changes.run(sql, addresses, product);
    return changes;
  }

  /** Continues until there were this many changes, then ends. */
  async finish(least: number): Promise<void> {
    while (this.changes < least) await sleep(100);
    this.isStopped = true;
    await this.running;
  }

  describe(): string {
    return (
      `${this.changes.toLocaleString("en")} price changes, ${this.reads.toLocaleString("en")} reads of pages: ${this.stale.length} stale, ` +
      `${this.late} late, ${this.markedStale} marked stale, ${this.refused} refused`
    );
  }

  private async run(
    sql: postgres.Sql,
    addresses: () => string[],
    { id, slug }: { id: number; slug: string },
  ) {
    const paths = [`/product/${slug}`, `/search?q=${slug.slice(-8)}`, `/zh/mobile/product/${slug}`];
    for (let price = 1_001; !this.isStopped; price++) {
      await this.change(sql, id, price);
      if (this.isStopped) return;
      this.changes++;
      const path = paths[price % paths.length]!;
      await Promise.all(addresses().map((address) => this.read(address, path, price)));
      await sleep(CHANGE_EVERY_MS);
    }
  }

  /** Repeats until the database has confirmed it. */
  private async change(sql: postgres.Sql, id: number, price: number): Promise<void> {
    while (!this.isStopped)
      try {
        await sql`update plans set price_cents = ${price} where product_id = ${id}`;
        return;
      } catch {
        await sleep(200);
      }
  }

  private async read(address: string, path: string, price: number): Promise<void> {
    const text = (price / 100).toFixed(2);
    const since = performance.now();
    this.reads++;
    for (let attempt = 0; ; attempt++) {
      const askedAt = performance.now();
      const headers = { "x-forwarded-for": `${clientAddress()}, 127.0.0.1` };
      const response = await sendRequest(address, path, { headers }).catch(() => undefined);
      if (response?.status !== 200) return void this.refused++;
      if (response.text.includes(text)) return void (attempt > 0 && this.late++);
      if (cacheStatus(response)?.includes("stale")) return void this.markedStale++;
      if (askedAt - since > SHOWN_WITHIN_MS) {
        this.stale.push(`${address}${path} does not show ${text}: ${cacheStatus(response) ?? "not cached"}`);
        return;
      }
      await sleep(20);
    }
  }
}
