import { toAgentName } from "@/lib/agents/rules";
import type { PassUnits } from "@/lib/cart/price-passes";
import { MAX_CART_LINES } from "@/lib/cart/rules";
import { MAX_QUANTITY } from "@/lib/catalog/rules";
import { constantTimeEqual, hmacText } from "@/lib/platform/crypto/hmac";

/** A list of passes that an agent put together, and the agent's name. */
export type AgentCart = { passes: PassUnits[]; agent: string };

const SIGNATURE_LENGTH = 20;
const sign = (text: string) => hmacText("agent-cart", text, SIGNATURE_LENGTH);

/** The cart's id: the signed list itself, so that nothing is stored (docs/agents.md). */
export function toCartId({ passes, agent }: AgentCart): string {
  const list = passes.map(({ vip_id, quantity }) => `${vip_id}:${quantity}`).join(",");
  const text = Buffer.from(`${list}|${agent}`).toString("base64url");
  return `${text}.${sign(text)}`;
}

/** The list in a cart's id; null for an id that the shop has not signed. */
export function readCartId(id: string): AgentCart | null {
  const [text = "", signature = "", ...rest] = id.slice(0, 1000).split(".");
  if (rest.length > 0 || !constantTimeEqual(signature, sign(text))) return null;
  const [list = "", agent = ""] = Buffer.from(text, "base64url").toString().split("|");
  const passes = parsePassList(list);
  return passes && { passes, agent: toAgentName(agent) };
}

/** `5001:2,5002:1` as passes, repeated ones added up; null for anything else, and for more than an order takes. */
export function parsePassList(list: string): PassUnits[] | null {
  const units = new Map<number, number>();
  for (const pair of list.slice(0, 1000).split(",")) {
    const [, id, quantity] = /^([1-9]\d{0,8}):([1-9]\d?)$/.exec(pair) ?? [];
    if (!id || !quantity) return null;
    units.set(Number(id), (units.get(Number(id)) ?? 0) + Number(quantity));
  }
  const passes = [...units].map(([vip_id, quantity]) => ({ vip_id, quantity }));
  const fits = passes.length <= MAX_CART_LINES && passes.every(({ quantity }) => quantity <= MAX_QUANTITY);
  return fits ? passes : null;
}
