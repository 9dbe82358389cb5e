import { z } from "zod";

export const InvoiceQuery = z.object({
  order_id: z.string().min(1).max(64),
  /** a billing address of the viewer; default: the default one */
  address_id: z.string().min(1).max(64).optional(),
});
export type InvoiceQuery = z.output<typeof InvoiceQuery>;
