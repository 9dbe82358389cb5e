import { randomText } from "@/lib/platform/crypto/ids";
import { cookieValue, serverCookie } from "./cookies";

/**
 * A random id of the browser, set with its first order or coupon. It limits unpaid orders (docs/product.md#89-unpaid-orders)
 * and claims of coupons (docs/product.md#85-coupons) only.
 */
const NAME = "device_id";
const LENGTH = 24;
const SECONDS = 7 * 86_400;

/** The browser's id, and the Set-Cookie line if the request had none. */
export type DeviceId = { id: string; cookies: string[] };

export function readDeviceId(headers: Headers): DeviceId {
  const sent = cookieValue(headers.get("cookie"), NAME);
  if (sent && new RegExp(`^[\\w-]{${LENGTH}}$`).test(sent)) return { id: sent, cookies: [] };
  const id = randomText(LENGTH);
  return {
    id,
    cookies: [serverCookie({ name: NAME, value: id, path: "/api/v1", maxAge: SECONDS })],
  };
}
