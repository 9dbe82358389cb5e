import { z } from "zod";

export const InvoiceQuery = z.object({
  order_id: z.string().min(1).max(64),
  /** one of the order's invoices and credit notes; default: its newest invoice, or without taxes the order itself */
  document_id: z.string().min(1).max(64).optional(),
  /** a billing address of the viewer; default: the default one. An invoice of the tax ledger stays as it was issued */
  address_id: z.string().min(1).max(64).optional(),
  /** in which its days are written, as on the receipt; default: the one of the request */
  time_zone: z.string().max(64).optional(),
});
export type InvoiceQuery = z.output<typeof InvoiceQuery>;
