import { randomUUID } from "node:crypto";
import { createSignedInUser } from "@/db/factories/accounts";
import type { ShopperResponse } from "../faults/shopper";
import { count, fail, get, type Traffic } from "./soak-traffic";

type Call = (path: string, body?: object) => Promise<ShopperResponse>;
/** What a passing moment may answer: sold out in between, or the price has changed. */
const REFUSALS = ["out_of_stock", "price_changed", "stock_short"];

/** Buys what the imports bring, pays in the sandbox, reads the code, and says what it is worth. */
export async function buy(traffic: Traffic) {
  while (!traffic.over()) {
    const user = await createSignedInUser();
    const call: Call = async (path, body) => {
      const headers = { authorization: user.bearer, ...(body && { "idempotency-key": randomUUID() }) };
      const said = await get(traffic, `/api/v1${path}`, { expected: [200, 409, 422], headers, body });
      if (!said) throw new Error(`${path.split("?")[0]} broke off`);
      return { status: 200, ...JSON.parse(said.text) };
    };
    await purchase(traffic, call).catch((error: Error) => traffic.over() || fail(traffic, error.message));
    await new Promise((done) => setTimeout(done, 100 + traffic.random() * 200));
  }
}

/** The data of a call that must succeed. */
async function must(call: Call, path: string, body?: object) {
  const said = await call(path, body);
  if (said.code !== "200") throw new Error(`${path.split("?")[0]} answered ${said.status} ${said.code}`);
  return said.data;
}

async function purchase(traffic: Traffic, call: Call) {
  const { items } = await must(
    call,
    `/product/list?category=writing&page=${1 + Math.floor(traffic.random() * 3)}&size=50`,
  );
  const soaked = (
    items as { product_id: number; slug: string; vip_id: number; stock_state: string }[]
  ).filter(({ slug, stock_state }) => slug.startsWith("soak-") && stock_state !== "sold_out");
  const wish = soaked[Math.floor(traffic.random() * soaked.length)];
  if (!wish) return;
  const { product_id, vip_id } = wish;
  const line = await call("/cart/add", { product_id, vip_id, quantity: 1 });
  if (line.code !== "200") return refused(traffic, "/cart/add", line);
  const made = await call("/order/create", { cart_record_ids: [line.data.cart_id] });
  if (made.code !== "200") return refused(traffic, "/order/create", made);
  const { order_id } = made.data;
  if (traffic.random() < 0.15) {
    await must(call, "/order/cancel", { order_id });
    return count(traffic, "orders cancelled");
  }
  const { client_secret } = await must(call, "/payment/stripe/create-payment-intent", { order_id });
  const outcome = traffic.random() < 0.1 ? "declined" : "succeeded";
  await call("/payment/sandbox/confirm", { client_secret, outcome });
  if (outcome === "declined") return count(traffic, "payments declined");
  for (const end = Date.now() + 120_000; ; ) {
    const { items: owned } = await must(call, "/library");
    if (owned.length > 0) break;
    if (Date.now() > end) throw new Error("a paid code did not come within two minutes");
    await new Promise((done) => setTimeout(done, 250));
  }
  count(traffic, "codes delivered");
  if (traffic.random() < 0.3) {
    const review = {
      product_id,
      order_id,
      rating: 4,
      title: "Soaked",
      content: "It held for the whole soak.",
    };
    await must(call, "/comment/create", review);
    count(traffic, "reviews");
  }
}

/** Sold out in between is no fault. */
function refused(traffic: Traffic, path: string, { code }: ShopperResponse) {
  if (code === "409" || code === "422" || REFUSALS.includes(code)) return count(traffic, "refused: sold out");
  fail(traffic, `${path} answered ${code}`);
}
