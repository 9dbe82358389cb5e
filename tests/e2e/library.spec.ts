import type { APIRequestContext } from "@playwright/test";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { DEMO_ACCOUNT_EMAIL } from "@/lib/accounts/rules";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { readKeys, waitForMail } from "./mails";
import { button, openMore } from "./screens";
import { buyPass, callApi, signUp } from "./users";

type Item = {
  library_id: string;
  ends_at: string | null;
  activated_at: string | null;
  replacement: { state: string } | null;
};

/** Buys a week pass over the API and waits for its delivery; returns its library id. */
async function buy(request: APIRequestContext): Promise<string> {
  await buyPass(request, await findPlan("quillon-draft", 7));
  return (await itemOf(request)).library_id;
}
const itemOf = async (request: APIRequestContext) =>
  (await callApi<{ items: Item[] }>(request, "/library")).items[0]!;

test("a code is revealed with a notice, its start is set and corrected, and its end is exported to a calendar", {
  tag: ["@all", "@matrix"],
}, async ({ shop, context, watch }) => {
  const { page, t, go, locale } = shop;
  await signUp(context.request, { locale });
  await buy(context.request);
  const main = page.getByRole("main");
  await go("/library");
  const calendar = main.getByRole("link", { name: t("delivery.calendar.button") });
  await expect(calendar).toBeHidden(); // it has no end yet
  const unstarted = main.getByText(t("delivery.clock.unstarted"), { exact: true });
  await expect(unstarted).toBeVisible();

  await openMore(shop);
  await main.getByText(t("delivery.log.title", { count: 1 })).click();
  await expect(main.getByText(t("delivery.log.mailed"))).toBeVisible();
  await button(shop, t("delivery.code.reveal")).click();
  await expect(main.getByText(t("delivery.log.title", { count: 2 }))).toBeVisible();
  await expect(unstarted).toHaveCount(0);
  await expect(main.locator("details time")).toHaveCount(2);

  await button(shop, t("delivery.activate.button")).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(t("delivery.activate.used"))).toBeVisible();
  await dialog.getByRole("button", { name: t("delivery.activate.confirm") }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(t("delivery.activate.done"))).toBeVisible();
  const first = await itemOf(context.request);
  expect(first.activated_at).not.toBeNull();

  watch.allow(400);
  // A start before the purchase is refused, and the dialog stays open.
  await button(shop, t("delivery.activate.change")).click();
  await dialog.getByLabel(t("delivery.activate.at")).fill("2024-01-01T10:00");
  await dialog.getByRole("button", { name: t("delivery.activate.confirm") }).click();
  await expect(dialog.getByText(t("errors.activation_date_wrong"))).toBeVisible();
  await dialog.getByRole("button", { name: t("delivery.activate.cancel") }).click();
  expect((await itemOf(context.request)).activated_at).toBe(first.activated_at);

  const [download] = await Promise.all([page.waitForEvent("download"), calendar.click()]);
  expect(download.suggestedFilename()).toBe("pass.ics");
  const response = await context.request.get((await calendar.getAttribute("href"))!);
  const stamp = first.ends_at!.replace(/[-:]|\.\d+/g, "");
  expect(await response.text()).toContain(`DTSTART:${stamp}\r\n`);
});

test("the library and orders of the demo account say that they are samples", {
  tag: ["@all", "@once"],
}, async ({ shop, context }) => {
  const { page, t, go, locale } = shop;
  const notice = page.getByRole("main").getByText(t("ui.mode.demo_data"));
  await signUp(context.request, { locale });
  await go("/library");
  await expect(notice).toHaveCount(0);
  const account = { user_email: DEMO_ACCOUNT_EMAIL, user_password: "passlane-demo-1" };
  await callApi(context.request, "/auth/login/email", account);
  for (const path of ["/library", "/order-history"]) {
    await go(path);
    await expect(notice, path).toBeVisible();
  }
});

test("a replacement is requested once, approved by staff, and the new key is mailed", {
  tag: "@all",
}, async ({ shop, context }) => {
  const { page, t, go, locale } = shop;
  const { email } = await signUp(context.request, { locale });
  const old = await buy(context.request);
  const [broken] = readKeys(await waitForMail(context.request, email, "keys"));
  await go("/library");
  await openMore(shop);
  await button(shop, t("delivery.replace.button")).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("delivery.replace.reason")).fill("It says: used already.");
  await dialog.getByRole("button", { name: t("delivery.replace.confirm") }).dblclick();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(t("delivery.replace.done"))).toBeVisible();
  await expect(button(shop, t("delivery.replace.button"))).toBeHidden();
  expect((await itemOf(context.request)).replacement?.state).toBe("asked");

  const [asked] = await db.execute<{ id: string }>(
    sql`select id from replacement_requests where key_id = ${old} and state = 'asked'`,
  );
  expect(await approveReplacement(asked!.id, "staff:test")).toMatchObject({ state: "approved" });

  await go("/library");
  await openMore(shop);
  await expect(page.getByText(t("delivery.replace.approved"))).toBeVisible();
  await button(shop, t("delivery.code.reveal")).click();
  await expect
    .poll(async () => readKeys(await waitForMail(context.request, email, "keys"))[0], { timeout: 120_000 })
    .not.toBe(broken);
  const [replacement] = readKeys(await waitForMail(context.request, email, "keys"));
  await expect(page.getByRole("main").getByText(replacement!, { exact: true })).toBeVisible();
});
