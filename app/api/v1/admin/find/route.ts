import { endpoint } from "@/lib/platform/api/endpoint";
import { READ_COSTS } from "@/lib/platform/expensive-work";
import { FindInput, FindResult } from "@/lib/staff/find/contract";
import { findInShop } from "@/lib/staff/find/find-in-shop";
import { anyStaff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Find an order, payment, customer, product, vendor, coupon or code",
    description:
      "An order also by a part of its number (2611-0042, 0042 of the newest months), a customer by the beginning of the address or name. Coupons only for who reads their list. By the text of a code only for support, catalogue and administrators. The text is not stored; the audit log has the reference of a code that was found.",
    access: anyStaff,
    body: FindInput,
    result: FindResult,
    errors: [],
    readCost: READ_COSTS.search,
  },
  ({ viewer, body, locale }) => findInShop(viewer, body.q, locale),
);
