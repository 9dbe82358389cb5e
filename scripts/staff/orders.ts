import { findOrdersForStaff } from "@/lib/orders/console/find-orders-for-staff";
import { formatPrice } from "@/lib/platform/money";
import { formatTable, formatTime, type StaffNoun } from "./command";

/** Orders as customers name them: by number, id or email. */
export const orders: StaffNoun = {
  find: {
    usage: "NUMBER|ID|EMAIL",
    description: "lists the orders with this number (PL-2611-0042), id or email, newest first",
    async run({ id }) {
      const found = await findOrdersForStaff(id);
      const rows = found.map((order) => [
        order.orderNumber,
        order.status,
        formatPrice(order.totalCents, "en"),
        formatTime(order.createdAt),
        order.email,
        order.products,
        order.gift ?? "",
        order.id,
      ]);
      const headings = ["order", "status", "total", "placed", "shopper", "passes", "gift", "id"];
      return { text: formatTable(headings, rows, `There is no order ${id}.`), json: found };
    },
  },
};
