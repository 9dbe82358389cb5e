import { randomUUID } from "node:crypto";
import { createSignedInUser } from "@/db/factories/accounts";
import type { ShopperResponse } from "@/tests/setup/shopper";
import { count, fail, sendRequest, type Traffic } from "./soak-traffic";

type Call = (path: string, body?: object) => Promise<ShopperResponse>;
/** Expected rejections: sold out or a changed price. */
const EXPECTED_ERRORS = ["out_of_stock", "price_changed", "stock_short"];

/** Buys imported products, pays in the sandbox, waits for the code, and reviews. */
export async function runBuyer(traffic: Traffic) {
  while (!traffic.isStopped()) {
    const user = await createSignedInUser();
    const call: Call = async (path, body) => {
      const headers = { authorization: user.bearer, ...(body && { "idempotency-key": randomUUID() }) };
      const response = await sendRequest(traffic, `/api/v1${path}`, {
        expected: [200, 409, 422],
        headers,
        body,
      });
      if (!response) throw new Error(`${path.split("?")[0]} failed`);
      return { status: 200, ...JSON.parse(response.text) };
    };
    await purchase(traffic, call).catch(
      (error: Error) => traffic.isStopped() || fail(traffic, error.message),
    );
    await new Promise((resolve) => setTimeout(resolve, 100 + traffic.random() * 200));
  }
}

/** The data of a call that must succeed. */
async function callOk(call: Call, path: string, body?: object) {
  const response = await call(path, body);
  if (response.code !== "200")
    throw new Error(`${path.split("?")[0]} responded ${response.status} ${response.code}`);
  return response.data;
}

async function purchase(traffic: Traffic, call: Call) {
  const { items } = await callOk(
    call,
    `/product/list?category=writing&page=${1 + Math.floor(traffic.random() * 3)}&size=50`,
  );
  const candidates = (
    items as { product_id: number; slug: string; vip_id: number; stock_state: string }[]
  ).filter(({ slug, stock_state }) => slug.startsWith("soak-") && stock_state !== "sold_out");
  const choice = candidates[Math.floor(traffic.random() * candidates.length)];
  if (!choice) return;
  const { product_id, vip_id } = choice;
  const line = await call("/cart/add", { product_id, vip_id, quantity: 1 });
  if (line.code !== "200") return countRejection(traffic, "/cart/add", line);
  const order = await call("/order/create", { cart_record_ids: [line.data.cart_id] });
  if (order.code !== "200") return countRejection(traffic, "/order/create", order);
  const { order_id } = order.data;
  if (traffic.random() < 0.15) {
    await callOk(call, "/order/cancel", { order_id });
    return count(traffic, "orders cancelled");
  }
  const { client_secret } = await callOk(call, "/payment/stripe/create-payment-intent", { order_id });
  const outcome = traffic.random() < 0.1 ? "declined" : "succeeded";
  await call("/payment/sandbox/confirm", { client_secret, outcome });
  if (outcome === "declined") return count(traffic, "payments declined");
  for (const end = Date.now() + 120_000; ; ) {
    const { items: owned } = await callOk(call, "/library");
    if (owned.length > 0) break;
    if (Date.now() > end) throw new Error("a paid code was not delivered within two minutes");
    await new Promise((resolve) => setTimeout(resolve, 250));
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
    await callOk(call, "/comment/create", review);
    count(traffic, "reviews");
  }
}

/** Counts expected rejections and reports others as failures. */
function countRejection(traffic: Traffic, path: string, { code }: ShopperResponse) {
  if (code === "409" || code === "422" || EXPECTED_ERRORS.includes(code))
    return count(traffic, "rejected: sold out");
  fail(traffic, `${path} responded ${code}`);
}
