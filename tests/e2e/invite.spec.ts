import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { expect, test } from "./fixtures";
import { link, register } from "./screens";
import { newUser, signUp } from "./users";

test("an invitation is kept until the registration; an unknown code shows the general page", {
  tag: ["@all", "@once"],
}, async ({ shop, playwright, baseURL }) => {
  const { page, t, go, arrive } = shop;
  await go("/i/nobody-has-this");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    t("referrals.title_general", { brand: "Passlane" }),
  );
  await expect(page.getByText(t("referrals.lead", { brand: "Passlane" }))).toBeVisible();

  const inviterRequest = await playwright.request.newContext({ baseURL });
  const { email } = await signUp(inviterRequest, { locale: shop.locale, verified: true });
  await inviterRequest.dispose();
  const [inviter] = await db.execute<{ id: string; code: string }>(
    sql`select id, invite_code as code from users where email = ${email}`,
  );
  await go(`/i/${inviter!.code}?source=chat`);
  await expect(page).toHaveTitle(t("referrals.page_title", { brand: "Passlane" }));
  await link(shop, t("referrals.register")).click();
  await arrive("/register?source=chat");
  const user = newUser();
  await register(shop, user);
  await arrive("/profile");
  const [created] = await db.execute<{ invited_by: string; source: { source: string } }>(
    sql`select invited_by, signup_source as source from users where email = ${user.email}`,
  );
  expect(created).toMatchObject({ invited_by: inviter!.id, source: { source: "chat" } });
});
