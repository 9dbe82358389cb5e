import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { newId } from "@/lib/platform/crypto/ids";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { waitForMail } from "./mails";
import { button } from "./screens";

test("a question about an order is answered by staff, by email and in the account of its owner alone", async ({
  shop,
  context,
  baseURL,
  request,
  watch,
}) => {
  watch.allow(404);
  const { page, t, go, at, locale } = shop;
  const c = consoleTexts(locale);
  const buyer = await createSignedInUser();
  const plan = await createSinglePlan({ keys: 1 });
  const order = await createOrder(buyer, plan.id, { status: "completed" });
  const answerId = newId("ans");
  const texts = JSON.stringify({
    en: "About {order}, {name}:",
    zh: "{order}，{name}：",
    ja: "{order}、{name}様：",
  });
  await db.execute(
    sql`insert into stored_answers (id, title, texts) values (${answerId}, ${answerId}, ${texts}::jsonb)`,
  );

  await signInAs(context, baseURL!, buyer);
  await go(`/order-history?order_id=${order.id}`);
  await page.getByRole("link", { name: t("orders.detail.ask") }).click();
  await page.waitForURL((url) => url.pathname === new URL(at("/messages"), baseURL).pathname);
  await waitUntilInteractive(page);
  const message = page.getByLabel(t("support.form.message"), { exact: true });
  await button(shop, t("support.form.submit")).click();
  await expect(page.getByText(t("support.form.message_missing"))).toBeVisible();
  await message.fill("When does my week begin?");
  await button(shop, t("support.form.submit")).click();
  await page.waitForURL(/messages\?id=cnv_/);
  const own = page.url();
  const id = new URL(own).searchParams.get("id")!;
  await expect(page.getByText("When does my week begin?")).toBeVisible();
  await expectAccessible(page, "conversation");

  const support = await createStaff({ roles: ["support"] });
  await signInAs(context, baseURL!, support);
  await page.goto(own);
  await expect(page.getByText("When does my week begin?")).toHaveCount(0);
  await page.goto(consolePath(`/console/messages/${id}`, locale));
  await waitUntilInteractive(page);
  await expectAccessible(page, "conversation of staff");
  await page.getByLabel(c("console.messages.stored"), { exact: true }).selectOption(answerId);
  const answer = page.getByLabel(c("console.messages.answer"), { exact: true });
  await expect(answer).toHaveValue(/PL-/);
  await answer.fill(`${await answer.inputValue()} when you show the code.`);
  await page.getByRole("button", { name: c("console.messages.send"), exact: true }).click();
  await expect(page.getByText(c("console.messages.answered"))).toBeVisible();
  const mail = await waitForMail(request, buyer.email, "contact-answer");
  expect(mail.text).toContain("when you show the code.");

  await signInAs(context, baseURL!, buyer);
  await page.goto(own);
  await waitUntilInteractive(page);
  await expect(page.getByText("when you show the code.")).toBeVisible();
  await message.fill("Thank you!");
  await button(shop, t("support.form.submit")).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Thank you!" })).toBeVisible();
});
