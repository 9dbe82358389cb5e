import { audit } from "@/lib/platform/audit";
import { closeShop, findShopClosure, openShop } from "@/lib/platform/shop-closure";
import { formatTime, type StaffNoun } from "./staff-command";

/** Closing and opening the shop (docs/operations.md#close-the-shop). */
export const shop: StaffNoun = {
  status: {
    usage: "",
    description: "says whether the shop is open",
    async run() {
      const closure = await findShopClosure();
      const text = closure
        ? `The shop is closed since ${formatTime(closure.since)} by ${closure.by}: ${closure.reason}.`
        : "The shop is open.";
      return { text, json: { open: closure === null, ...closure } };
    },
  },
  close: {
    usage: '--reason "…"',
    description: "closes the shop: writes are refused, pages show a notice, no jobs run",
    options: { reason: "required" },
    async run({ values, actor }) {
      const reason = values.reason!;
      await closeShop(reason, actor);
      await audit({ actor, action: "shop_closed", subject: "shop", detail: { reason } });
      return { text: "The shop is closed. Open it with: npm run staff -- shop open", json: { open: false } };
    },
  },
  open: {
    usage: "",
    description: "opens the shop again; jobs and emails that waited go on",
    async run({ actor }) {
      const closure = await findShopClosure();
      if (!closure) return { text: "The shop is open; nothing was changed.", json: { open: true } };
      await openShop();
      await audit({ actor, action: "shop_opened", subject: "shop" });
      return { text: "The shop is open.", json: { open: true } };
    },
  },
};
