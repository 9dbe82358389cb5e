import { z } from "zod";
import {
  MERCHANT_PERMISSIONS,
  MERCHANT_ROLES,
  MERCHANT_STATES,
  MERCHANT_TRUST,
  type MerchantPermission,
} from "./rules";

const Permissions = Object.keys(MERCHANT_PERMISSIONS) as [MerchantPermission, ...MerchantPermission[]];

/** GET /merchant/me: the merchant of the call, and what the caller may do for it (docs/product.md#14-merchants). */
export const MerchantMe = z.object({
  merchant_id: z.string(),
  handle: z.string(),
  name: z.string(),
  state: z.enum(MERCHANT_STATES),
  trust: z.enum(MERCHANT_TRUST),
  /** null: a token */
  role: z.enum(MERCHANT_ROLES).nullable(),
  permissions: z.array(z.enum(Permissions)),
});
export type MerchantMe = z.output<typeof MerchantMe>;
