import type { ConsoleScreen } from "@/components/staff/screens";
import { mayStaff, type Permission } from "@/lib/platform/auth/permissions";

/** What can be typed besides records: `console.find.commands.<name>` has its name and other words for it. */
export type FindCommand = {
  name: (typeof COMMANDS)[number]["name"];
  /** Where it is done. */
  path?: string;
  /** It is done to an order, which follows the word: "refund 0062". */
  order?: (number: string) => string;
};

const orderPage = (number: string) => `/console/orders/${number.toLowerCase()}`;

const COMMANDS = [
  { name: "refund", order: orderPage, permission: "refunds.decide" },
  { name: "goodwill", order: orderPage, permission: "refunds.goodwill" },
  { name: "replace", order: orderPage, permission: "replacements.decide" },
  { name: "resend", order: orderPage, permission: "orders.write" },
  { name: "cancel", order: orderPage, permission: "orders.write" },
  { name: "note", order: orderPage, permission: "notes.write" },
  { name: "audit", order: (number: string) => `/console/audit?subject=${number}`, permission: "audit.read" },
  { name: "new_product", path: "/console/products/new", permission: "products.write" },
  { name: "new_post", path: "/console/posts/new", permission: "posts.write" },
  { name: "new_announcement", path: "/console/announcements", permission: "announcements.manage" },
  { name: "new_campaign", path: "/console/campaigns", permission: "campaigns.manage" },
  { name: "import_codes", path: "/console/imports", permission: "imports.run" },
  { name: "export_orders", path: "/console/orders", permission: "exports.persons" },
  { name: "withheld", path: "/console/keys/withheld", permission: "stock.manage" },
  { name: "batches", path: "/console/keys/batches", permission: "products.read" },
  { name: "searches", path: "/console/insight/searches", permission: "insight.read" },
  { name: "give_role", path: "/console/people", permission: "staff.manage" },
  { name: "close_shop", path: "/console/settings", permission: "shop.manage" },
] as const satisfies readonly {
  name: string;
  path?: string;
  order?: (number: string) => string;
  permission: Permission;
}[];

/** The commands of these roles. */
export const commandsFor = (roles: readonly string[]): FindCommand[] =>
  COMMANDS.filter(({ permission }) => mayStaff(roles, permission));

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,、，·]+/)
    .filter(Boolean);
/** Chinese and Japanese names have no spaces, so that any part of them counts. */
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether each word of a text begins a word of a name or of its other words. */
export function isNamed(text: string, names: readonly string[]): boolean {
  const known = names.flatMap(wordsOf);
  const typed = wordsOf(text);
  return (
    typed.length > 0 &&
    typed.every((word) =>
      known.some((name) => (HAN_OR_KANA.test(word) ? name.includes(word) : name.startsWith(word))),
    )
  );
}

/** A text that begins with a command's word: the word, and what it is to be done to. */
export function splitCommand(text: string, names: readonly string[]): { rest: string } | null {
  const [word = "", ...rest] = text.trim().split(/\s+/);
  const known = names.flatMap(wordsOf);
  // "退款0062": no space after the word.
  const [, han, digits] =
    /^([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)([\d-]+)$/u.exec(text.trim()) ?? [];
  if (han && digits && known.includes(han)) return { rest: digits };
  return rest.length > 0 && known.includes(word.toLowerCase()) ? { rest: rest.join(" ") } : null;
}

/** The screens whose name a text is. */
export const namedScreens = (
  text: string,
  screens: readonly ConsoleScreen[],
  nameOf: (screen: ConsoleScreen) => readonly string[],
): ConsoleScreen[] => screens.filter((screen) => isNamed(text, nameOf(screen)));
