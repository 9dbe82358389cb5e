import type { MerchantRole } from "@/lib/merchants/rules";
import { readDemoSecrets } from "./find-demo-accounts";
import { DEMO_SELLER_PASSWORD, DEMO_SELLERS } from "./rules-sellers";

export type DemoSeller = {
  email: string;
  password: string;
  role: MerchantRole;
  merchant: string;
  totp_secret: string;
};

/** The merchants' members of the demo with their secrets; null outside of the demo mode. */
export async function findDemoSellers(): Promise<DemoSeller[] | null> {
  const secrets = await readDemoSecrets(DEMO_SELLERS.map(({ email }) => email));
  return (
    secrets &&
    DEMO_SELLERS.flatMap(({ email, role, merchant }) => {
      const totp_secret = secrets.get(email);
      return totp_secret ? [{ email, password: DEMO_SELLER_PASSWORD, role, merchant, totp_secret }] : [];
    })
  );
}
