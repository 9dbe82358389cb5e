import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { RegisterDirectlyInput } from "@/lib/accounts/contract";
import { registerDirectly } from "@/lib/accounts/registration/commands";
import { DEMO_ACCOUNT_EMAIL } from "@/lib/accounts/rules";
import { isShopError } from "@/lib/platform/errors";

/** The account that a demo start creates and prints. */
export const demoAccount = { email: DEMO_ACCOUNT_EMAIL, password: "passlane-demo-1" };

/** Creates the demo account with a verified email, unless it exists. */
export async function createDemoAccount(): Promise<void> {
  const input = RegisterDirectlyInput.parse({
    user_email: demoAccount.email,
    user_password: demoAccount.password,
    username: "Demo",
    accept_privacy: true,
    age_group: "adult",
  });
  try {
    await registerDirectly({ kind: "guest", locale: "en" }, input, { device: "npm start", ip: "127.0.0.1" });
  } catch (error) {
    if (!isShopError(error, "email_in_use")) throw error;
  }
  await db.execute(sql`update users set email_verified_at = coalesce(email_verified_at, shop_now())
    where lower(email) = ${demoAccount.email}`);
}
