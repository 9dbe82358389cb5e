import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { RegisterDirectlyInput } from "@/lib/accounts/contract";
import { registerDirectly } from "@/lib/accounts/registration/register";
import { DEMO_ACCOUNT_EMAIL } from "@/lib/accounts/rules";
import { isShopError } from "@/lib/platform/errors";
import { createDemoMember } from "@/lib/staff/demo/create-demo-member";
import { createDemoSeller } from "@/lib/staff/demo/create-demo-seller";
import { createDemoTradeFiles } from "@/lib/staff/demo/create-demo-trade-files";
import { DEMO_STAFF, DEMO_STAFF_PASSWORD } from "@/lib/staff/demo/rules";
import { DEMO_SELLER_PASSWORD, DEMO_SELLERS } from "@/lib/staff/demo/rules-sellers";

/** The account that a demo start creates and prints. */
export const demoAccount = { email: DEMO_ACCOUNT_EMAIL, password: "passlane-demo-1" };

/** Creates the demo account, and the accounts of staff and of two merchants of the demo (/dev/accounts.json), and the trader files of its merchants, each unless it exists. */
export async function createDemoAccount(): Promise<void> {
  await register(demoAccount.email, demoAccount.password, "Demo");
  for (const member of DEMO_STAFF)
    if (await register(member.email, DEMO_STAFF_PASSWORD, `Demo ${member.role}`))
      await createDemoMember(member);
  for (const seller of DEMO_SELLERS)
    if (await register(seller.email, DEMO_SELLER_PASSWORD, `Demo ${seller.role}`))
      await createDemoSeller(seller);
  await createDemoTradeFiles();
}

/** Registers an account with a verified email. Returns false if it exists. */
async function register(email: string, password: string, username: string): Promise<boolean> {
  const [existing] = await db.execute(sql`select 1 from users where lower(email) = ${email}`);
  if (existing) return false;
  const input = RegisterDirectlyInput.parse({
    user_email: email,
    user_password: password,
    username,
    accept_privacy: true,
    age_group: "adult",
  });
  try {
    await registerDirectly({ kind: "guest", locale: "en" }, input, { device: "npm start", ip: "127.0.0.1" });
  } catch (error) {
    if (!isShopError(error, "email_in_use")) throw error;
    return false;
  }
  await db.execute(sql`update users set email_verified_at = coalesce(email_verified_at, shop_now())
    where lower(email) = ${email}`);
  return true;
}
