import { randomUUID } from "node:crypto";
import { sleep } from "@/tests/setup/shopper";

export type ProbeProduct = { id: number; slug: string; planId: number };
type Shop = { address: string; products: ProbeProduct[] };
export type ProbeResult = { timesMs: number[]; failures: string[] };

const PAUSE_MS = 400;
/** The shopper's address, as a declared proxy reports it. */
const HEADERS = { "x-forwarded-for": "203.0.113.77", "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };

/** A shopper who opens the home page, a product and a search, and puts the product into the cart and back. */
export async function createProbe({ address, products }: Shop) {
  const registration = {
    user_email: `probe-${randomUUID()}@example.com`,
    user_password: "correct horse battery",
    username: "Probe",
    accept_privacy: true,
    age_group: "adult",
  };
  const json = { ...HEADERS, "content-type": "application/json" };
  const response = await fetch(`${address}/api/v1/auth/register/direct`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(registration),
  });
  const { data, message } = (await response.json()) as { data: { token: string } | null; message: string };
  if (!data) throw new Error(`The probing shopper cannot register: ${message}`);
  const headers = { ...json, authorization: `Bearer ${data.token}` };
  let round = 0;

  return async (isOver: () => boolean): Promise<ProbeResult> => {
    const result: ProbeResult = { timesMs: [], failures: [] };
    const request = async (path: string, body?: object): Promise<string> => {
      const startedAt = performance.now();
      const answer = await fetch(address + path, {
        ...(body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers: HEADERS }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await answer.text();
      result.timesMs.push(performance.now() - startedAt);
      if (answer.status !== 200) result.failures.push(`${path} responded ${answer.status}`);
      return text;
    };
    while (!isOver()) {
      const product = products[round++ % products.length]!;
      await request("/");
      await request(`/product/${product.slug}`);
      await request(`/search?q=${product.slug.split("-")[0]}`);
      const line = { product_id: product.id, vip_id: product.planId, quantity: 1 };
      const added = JSON.parse(await request("/api/v1/cart/add", line)) as {
        data: { cart_id: string } | null;
      };
      if (added.data) await request("/api/v1/cart/delete", { cart_id: added.data.cart_id });
      await sleep(PAUSE_MS);
    }
    return result;
  };
}
