import { jsonSchema } from "@/lib/platform/api/openapi";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import type { EveryCall } from "./every-call";
import type { Goods, World } from "./world";

/**
 * What each id-like field of a call names. A new one must be placed here, or the matrix fails: who owns the thing
 * decides what a stranger may hear of it.
 */
export type Field =
  /** A thing of one user: a stranger's request answers as if it were missing. */
  | { kind: "owned"; own: (world: World) => unknown; missing: () => unknown }
  /** As above, but a stranger's has a code of its own. */
  | { kind: "told"; own: (world: World) => unknown; missing: () => unknown; code: string }
  /** A thing of the shop that everybody may see. */
  | { kind: "shop"; own: (goods: Goods) => unknown; missing: () => unknown }
  /** Whoever holds it is its owner: a token, a code from a mail. Only nonsense is tried here. */
  | { kind: "held"; why: string }
  /** Only written down, never looked up. */
  | { kind: "noted" };

const owned = (prefix: string, own: (world: World) => unknown): Field => ({
  kind: "owned",
  own,
  missing: () => newId(prefix),
});
const shop = (own: (goods: Goods) => unknown, missing: unknown): Field => ({
  kind: "shop",
  own,
  missing: () => missing,
});
const held = (why: string): Field => ({ kind: "held", why });
const noted: Field = { kind: "noted" };
const NO_NUMBER = 2_000_000_000;
const cart = {
  kind: "owned",
  own: (world: World) => [world.cart],
  missing: () => [newId("cart")],
} satisfies Field;
const coupon = (code?: string): Field => {
  const field = { own: (world: World) => world.coupon, missing: () => randomText(10).toUpperCase() };
  return code ? { kind: "told", code, ...field } : { kind: "owned", ...field };
};

const FIELDS: Record<string, Field> = {
  order_id: owned("ord", (world) => world.order),
  order_product_id: owned("line", (world) => world.line),
  order_product_ids: {
    kind: "owned",
    own: (world) => [world.line],
    missing: () => [newId("line")],
  },
  cart_id: owned("cart", (world) => world.cart),
  cart_ids: cart,
  cart_record_ids: cart,
  library_id: owned("key", (world) => world.key),
  session_id: owned("ses", (world) => world.session),
  address_id: owned("addr", (world) => world.address),
  payment_id: owned("pm", (world) => world.card),
  payment_method_id: owned("pm", (world) => world.card),
  setup_id: owned("seti", (world) => world.setup),
  client_secret: owned("pi_secret", (world) => world.secret),
  coupon_code: coupon("40301"), // "bound to another account" (docs/product.md#91-codes)
  verification_id: held("it only says which code is meant; the code itself is the proof"),
  verification_code: held("mailed to the address"),
  code: held("mailed to the address"),
  token: held("signed by us, mailed to the address"),
  refresh_token: held("the session itself"),
  google_token: held("signed by Google"),
  product_id: shop((goods) => goods.productId, NO_NUMBER),
  vip_id: shop((goods) => goods.planId, NO_NUMBER),
  invited_account: noted, // a public code
  campaign: noted,
  tracking_id: noted,
  marketingUserId: noted,
  transaction_id: noted,
  userId: noted,
  orderId: noted,
  productId: noted,
  vipId: noted,
  country_code: noted,
  postal_code: noted,
};

/** Where one name means several things. */
const HERE: Record<string, Field> = {
  "POST /payment/sandbox/confirm-setup client_secret": owned("seti_secret", (world) => world.setupSecret),
  "POST /library/reveal library_id": owned("key", (world) => world.key),
  "POST /comment/create order_id": owned("ord", (world) => world.delivered),
  "POST /order/resend order_id": owned("ord", (world) => world.delivered),
  "POST /order/refund/request order_id": owned("ord", (world) => world.delivered),
  "POST /order/refund/request order_product_id": owned("line", (world) => world.deliveredLine),
  "POST /wait-list/create vip_id": shop((goods) => goods.soldOutPlanId, NO_NUMBER),
  "GET /admin/product-image/[id] id": shop((goods) => goods.productId, NO_NUMBER),
  "GET /product/detail/[id] id": shop((goods) => goods.productId, NO_NUMBER),
  "GET /blog/detail/[id] id": shop(() => "no-such-post", "no-such-post-either"),
  "GET /blog/image/[id] id": shop(() => "no-such-post", "no-such-post-either"),
  "POST /auth/coupon/send campaign": shop(() => "no-such-campaign", "no-such-campaign-either"),
  "POST /auth/register/direct id": noted, // a tracking id of old clients
};

export const ACTORS = ["user_id", "update_user_id", "create_user_id"];
const ID_LIKE = /(^|_)ids?$|[a-z]Ids?$|(^|_)token$|secret$|(^|_)code$|^invited_account$|^campaign$|^slug$/;

export type Place = "params" | "query" | "body";
export type Named = { place: Place; name: string; field: Field | undefined; required: boolean };

type Shape = { properties?: Record<string, Shape>; required?: string[]; items?: Shape; anyOf?: Shape[] };

/** Names below the first level: `items.order_id`. Only what is noted may hide there. */
function deeper(shape: Shape, at: string): string[] {
  const inner = Object.entries(shape.properties ?? {}).flatMap(([name, one]) => [
    `${at}.${name}`,
    ...deeper(one, `${at}.${name}`),
  ]);
  const others = [...(shape.anyOf ?? []), ...(shape.items ? [shape.items] : [])];
  return [...inner, ...others.flatMap((one) => deeper(one, at))];
}

/** The id-like fields of a call, and those that hide in a field of a field. */
export function idFieldsOf({ name: call, declaration }: EveryCall): { fields: Named[]; hidden: string[] } {
  const fields: Named[] = [];
  const hidden: string[] = [];
  for (const place of ["params", "query", "body"] as const) {
    const schema = declaration[place];
    if (!schema) continue;
    const shape = jsonSchema(schema, "input") as Shape;
    for (const [name, inner] of Object.entries(shape.properties ?? {})) {
      if (ID_LIKE.test(name) && !ACTORS.includes(name))
        fields.push({
          place,
          name,
          field: HERE[`${call} ${name}`] ?? FIELDS[name],
          required: place === "params" || (shape.required ?? []).includes(name),
        });
      hidden.push(...deeper(inner, name).filter((path) => ID_LIKE.test(path.split(".").at(-1) ?? "")));
    }
  }
  return { fields, hidden };
}

/** Where a visit came from (contract SourceInfo) is written down as it is. */
export const HIDDEN_BUT_NOTED = ["source_info.campaign", "source_info.id"];
