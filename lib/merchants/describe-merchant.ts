import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { MerchantMe } from "./contract-portal";
import { MERCHANT_PERMISSIONS, type MerchantPermission, merchantRule } from "./rules";

/** The merchant of a call, and what its caller may do. `scopes` of a token decide in its calls, and are not repeated here. */
export function describeMerchant({ merchant, role }: MerchantViewer): MerchantMe {
  const { id, ...rest } = merchant;
  const names = Object.keys(MERCHANT_PERMISSIONS) as MerchantPermission[];
  const permissions = names.filter((name) => {
    const { roles, scope } = merchantRule(name);
    return role === null ? scope !== null : roles.includes(role);
  });
  return MerchantMe.parse({ merchant_id: id, ...rest, role, permissions });
}
