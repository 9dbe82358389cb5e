import { z } from "zod";
import { CUSTOMER_STATES } from "@/lib/accounts/console/rules";
import { Instant, Usd } from "@/lib/platform/api/fields";
import { Cursor, Days, EmailPrefix, listOf, NewestFirst } from "@/lib/platform/console/list";

/** GET /admin/customers: newest first; with `email` by address, with `name` by name, then newest first. */
export const ConsoleCustomersInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  /** the beginning of the account's address */
  email: EmailPrefix.optional(),
  /** the beginning of the account's name; finds no deleted account */
  name: z.string().trim().toLowerCase().min(1).max(254).optional(),
  state: z.enum(CUSTOMER_STATES).optional(),
  /** days of the registration, both included */
  ...Days,
});
export type ConsoleCustomersInput = z.output<typeof ConsoleCustomersInput>;

export const ConsoleCustomer = z.object({
  customer_id: z.string(),
  /** of a deleted account: a pseudonym */
  email: z.string(),
  username: z.string(),
  state: z.enum(CUSTOMER_STATES),
  since: Instant,
  /** counted to 20, as are the amounts of these newest orders */
  orders: z.int(),
  orders_exact: z.boolean(),
  spent: Usd,
  refunded: Usd,
});
export type ConsoleCustomer = z.output<typeof ConsoleCustomer>;
export const ConsoleCustomerList = listOf(ConsoleCustomer);
export type ConsoleCustomerList = z.output<typeof ConsoleCustomerList>;
