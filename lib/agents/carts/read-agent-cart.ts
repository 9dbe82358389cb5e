import { homeUrl } from "@/lib/agents/http/home-url";
import { AGENT_SOURCE, type Agent, plainText } from "@/lib/agents/rules";
import type { CartRequest, CartResponse, Message } from "@/lib/agents/ucp/contract";
import { findByIdentifiers } from "@/lib/agents/ucp/find-by-identifiers";
import { toPolicies, ucpMeta } from "@/lib/agents/ucp/rules-products";
import { responseWording } from "@/lib/agents/ucp/wording";
import type { PassUnits } from "@/lib/cart/price-passes";
import { MAX_QUANTITY } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { localizedPath } from "@/lib/platform/routing/paths";
import { type AgentCart, readCartId, toCartId } from "./cart-id";
import type { AgentCartLine, LineProblem } from "./contract";
import { priceAgentCart } from "./price-agent-cart";

const ERROR_CODE: Record<LineProblem, string> = {
  sold_out: "out_of_stock",
  stock_short: "insufficient_stock",
  purchase_limit: "purchase_limit",
};

/**
 * Creates a cart for an agent (`create_cart`, docs/agents.md). Its id is the signed list of its passes, and
 * its `continue_url` shows them to the shopper, who decides. Nothing is stored, reserved or bought.
 */
export async function createAgentCart(
  { line_items: items }: CartRequest,
  agent: Pick<Agent, "name">,
  locale: Locale,
): Promise<CartResponse> {
  const found = await findByIdentifiers(
    items.map(({ item }) => item.id),
    locale,
  );
  const problems: Message[] = [];
  const units = new Map<number, number>();
  for (const [index, { item, quantity }] of items.entries()) {
    const { product, vipId } = found.get(item.id) ?? { product: null, vipId: null };
    const vip_id = vipId ?? (product?.vip_options.length === 1 ? product.vip_id : undefined);
    if (vip_id === undefined) {
      problems.push(unavailable(index, locale));
      continue;
    }
    const wanted = (units.get(vip_id) ?? 0) + quantity;
    if (wanted > MAX_QUANTITY) problems.push(tooMany(index, locale));
    units.set(vip_id, Math.min(MAX_QUANTITY, wanted));
  }
  const passes = [...units].map(([vip_id, quantity]) => ({ vip_id, quantity }));
  return respond({ passes, agent: agent.name }, locale, problems);
}

/** The cart with this id, at current prices (`get_cart`). */
export async function getAgentCart(id: string, locale: Locale): Promise<CartResponse> {
  const cart = readCartId(id);
  return cart
    ? respond(cart, locale)
    : failure("not_found", shopTranslator(locale)("agents.answers.cart_unknown"), locale);
}

/** Replaces the passes of a cart, which changes its id (`update_cart`). */
export async function updateAgentCart(
  id: string,
  request: CartRequest,
  agent: Pick<Agent, "name">,
  locale: Locale,
): Promise<CartResponse> {
  const cart = readCartId(id);
  if (!cart) return getAgentCart(id, locale);
  return createAgentCart(request, agent, locale);
}

/** The address of the page that shows these passes to the shopper. */
export function cartLink(cart: AgentCart, locale: Locale, origin: string): string {
  const query = new URLSearchParams({ cart: toCartId(cart), source: AGENT_SOURCE, campaign: cart.agent });
  return `${origin}${localizedPath("/cart-link", { locale, surface: "desktop" })}?${query}`;
}

async function respond(cart: AgentCart, locale: Locale, earlier: Message[] = []): Promise<CartResponse> {
  const { lines, missing } = await priceAgentCart(cart.passes, locale);
  const messages = [...earlier, ...missing.map(() => unavailable(null, locale))];
  const t = shopTranslator(locale);
  if (lines.length === 0 || lines.every(({ problem }) => problem === "sold_out"))
    return failure("out_of_stock", t("agents.answers.nothing_left"), locale, messages);
  const wording = responseWording(locale);
  // The cart keeps passes that are sold out, because they may be in stock when it is read again.
  const kept: PassUnits[] = lines.map(({ plan, quantity }) => ({ vip_id: plan.vip_id, quantity }));
  const listed = { ...cart, passes: kept };
  const total = lines.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0);
  return {
    ucp: ucpMeta("cart"),
    id: toCartId(listed),
    status: "requires_escalation",
    line_items: lines.map((line, index) => toLineItem(line, index, wording.origin)),
    currency: "USD",
    totals: [
      { type: "subtotal", amount: total },
      { type: "total", amount: total, display_text: wording.estimate },
    ],
    messages: [
      ...messages,
      ...lines.flatMap((line, index) => problemOf(line, index, locale)),
      {
        type: "error",
        code: "buyer_review_required",
        content: t("agents.answers.hand_over"),
        severity: "requires_buyer_review",
      },
    ],
    policies: toPolicies(
      lines.map(({ plan }, index) => ({ path: `$.line_items[${index}]`, plan })),
      wording,
    ),
    links: [
      {
        type: "refund_policy",
        url: `${wording.origin}${localizedPath("/refund-policy", { locale, surface: "desktop" })}`,
      },
      {
        type: "terms_of_service",
        url: `${wording.origin}${localizedPath("/terms-of-service", { locale, surface: "desktop" })}`,
      },
      {
        type: "privacy_policy",
        url: `${wording.origin}${localizedPath("/privacy-policy", { locale, surface: "desktop" })}`,
      },
    ],
    continue_url: cartLink(listed, locale, wording.origin),
  };
}

function toLineItem({ product, plan, quantity, unitCents }: AgentCartLine, index: number, origin: string) {
  const amount = unitCents * quantity;
  return {
    id: `line-${index + 1}`,
    item: {
      id: String(plan.vip_id),
      title: `${plainText(product.product_name)}: ${plan.vip_type}`,
      price: unitCents,
      image_url: `${origin}${product.product_image}&width=480`,
    },
    quantity,
    totals: [
      { type: "subtotal" as const, amount },
      { type: "total" as const, amount },
    ],
  };
}

function problemOf({ problem, most }: AgentCartLine, index: number, locale: Locale): Message[] {
  if (!problem) return [];
  const content = shopTranslator(locale)(`agents.answers.${problem}`, { most });
  return [
    {
      type: "error",
      code: ERROR_CODE[problem],
      content,
      severity: "recoverable",
      path: `$.line_items[${index}]`,
    },
  ];
}

const unavailable = (index: number | null, locale: Locale): Message => ({
  type: "error",
  code: "item_unavailable",
  content: shopTranslator(locale)("agents.answers.not_found"),
  severity: "recoverable",
  ...(index !== null && { path: `$.line_items[${index}]` }),
});

/** One pass, in several lines of a request, is wanted more often than an order takes. */
const tooMany = (index: number, locale: Locale): Message => ({
  type: "error",
  code: "quantity_limit",
  content: shopTranslator(locale)("agents.answers.too_many", { most: MAX_QUANTITY }),
  severity: "recoverable",
  path: `$.line_items[${index}]`,
});

/** A response without a cart, and so without an id. */
const failure = (code: string, content: string, locale: Locale, messages: Message[] = []): CartResponse => ({
  ucp: ucpMeta("cart", "error"),
  messages: [...messages, { type: "error", code, content, severity: "unrecoverable" }],
  continue_url: homeUrl(locale),
});
