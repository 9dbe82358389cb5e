import { closeShop, findShopClosure, openShop } from "@/lib/platform/shop-closure";
import { formatTime, type StaffNoun } from "./command";

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
      const closed = await closeShop(values.reason!, actor);
      const text = closed ? "The shop is closed." : "The shop was closed before; its reason stays.";
      return { text: `${text} Open it with: npm run staff -- shop open`, json: { open: false } };
    },
  },
  open: {
    usage: "",
    description: "opens the shop again; jobs and emails that waited go on",
    async run({ actor }) {
      const opened = await openShop(actor);
      const text = opened ? "The shop is open." : "The shop is open; nothing was changed.";
      return { text, json: { open: true } };
    },
  },
};
