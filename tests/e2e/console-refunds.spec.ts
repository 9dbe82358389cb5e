import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { newId } from "@/lib/platform/crypto/ids";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { findPlan } from "./database";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { buyPass, callApi, signUp } from "./users";

/** A refund request of a pass that was paid and waits for its vendor. */
async function createRequest() {
  const buyer = await createUser();
  const product = await createProduct({ plans: [{ type: "month", keys: 1 }] });
  const { id, lineId } = await createOrder(buyer, product.plans[0]!.id, { status: "completed" });
  await db.execute(sql`update order_lines set state = 'assigned' where id = ${lineId}`);
  const requestId = newId("rrq");
  await db.execute(sql`
    insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
    values (${requestId}, ${lineId}, ${buyer.id}, 1000, shop_now() + interval '5 hours')`);
  const [order] = await db.execute<{ number: string }>(
    sql`select order_number as number from orders where id = ${id}`,
  );
  return { buyer, requestId, number: order!.number };
}

test("a refund is refused with a reason, after a preview of the effects, in one of two windows", {
  tag: "@all",
}, async ({ page, context, browser, baseURL, locale }) => {
  const { buyer, requestId, number } = await createRequest();
  const t = consoleTexts(locale);
  const path = consolePath(`/console/refunds?email=${encodeURIComponent(buyer.email)}`, locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const otherContext = await browser.newContext({ baseURL: baseURL! });
  await signInAs(otherContext, baseURL!, await createStaff({ roles: ["finance"] }));
  const other = await otherContext.newPage();
  const refuse = t("console.refunds.refuse_name", { number });
  for (const window of [page, other]) {
    await window.goto(path);
    await waitUntilInteractive(window);
    await window.getByRole("button", { name: refuse }).click();
    const dialog = window.getByRole("dialog");
    const usual = t("console.reasons.refund.used");
    if (window === other) {
      // A usual reason leads to the effects in one press.
      await dialog.getByRole("button", { name: usual }).click();
      await expect(dialog.getByRole("blockquote")).not.toBeEmpty();
    } else {
      await dialog.getByLabel(t("console.refunds.refuse_reason")).fill("The vendor saw it used.");
      await dialog.getByRole("button", { name: t("console.effects.continue") }).click();
    }
    await expect(dialog.getByRole("listitem")).toContainText([buyer.email]);
  }
  await expectAccessible(page, "the effects of a refusal");
  const [state] = await db.execute<{ state: string }>(
    sql`select state from refund_requests where id = ${requestId}`,
  );
  expect(state!.state).toBe("asked");
  const confirm = t("console.refunds.refuse");
  await page.getByRole("dialog").getByRole("button", { name: confirm, exact: true }).click();
  await expect(page.getByRole("button", { name: refuse })).toHaveCount(0);
  await other.getByRole("dialog").getByRole("button", { name: confirm, exact: true }).click();
  await expect(other.getByRole("dialog").getByRole("alert")).toBeVisible();
  await otherContext.close();
  await page.goto(`${path}&state=refused`);
  await waitUntilInteractive(page);
  await expect(
    page.getByRole("button", { name: t("console.refunds.overrule_name", { number }) }),
  ).toBeVisible();
});

test("a refund that two browsers approve is one refund at the provider", async ({
  page,
  context,
  browser,
  baseURL,
  locale,
  watch,
}) => {
  const buyerContext = await browser.newContext({ baseURL: baseURL! });
  const { email } = await signUp(buyerContext.request, { locale });
  const order_id = await buyPass(buyerContext.request, await findPlan("quillon-draft", 30));
  type Order = { order_number: string; order_products: { order_product_id: string }[] };
  const order = await callApi<Order>(buyerContext.request, `/order/detail?order_id=${order_id}`);
  const { order_product_id } = order.order_products[0]!;
  const asked = await callApi<{ state: string }>(buyerContext.request, "/order/refund/request", {
    order_id,
    order_product_id,
  });
  expect(asked.state).toBe("asked");
  await buyerContext.close();

  const t = consoleTexts(locale);
  const path = consolePath(`/console/refunds?email=${encodeURIComponent(email)}`, locale);
  watch.allow(409); // of the one that comes second
  await signInAs(context, baseURL!, await createStaff({ roles: ["support"] }));
  const otherContext = await browser.newContext({ baseURL: baseURL! });
  await signInAs(otherContext, baseURL!, await createStaff({ roles: ["finance"] }));
  const windows = [page, await otherContext.newPage()];
  const approve = t("console.refunds.approve_name", { number: order.order_number });
  const confirm = t("console.refunds.approve");
  for (const window of windows) {
    await window.goto(path);
    await waitUntilInteractive(window);
    await window.getByRole("button", { name: approve }).click();
    const dialog = window.getByRole("dialog");
    await expect(dialog.getByRole("listitem").filter({ hasText: email })).toBeVisible();
  }
  const press = (window: typeof page) =>
    window.getByRole("dialog").getByRole("button", { name: confirm, exact: true }).click();
  await Promise.all(windows.map(press));
  const countRefused = async () => {
    const alerts = windows.map((window) => window.getByRole("dialog").getByRole("alert").count());
    return (await Promise.all(alerts)).reduce((sum, count) => sum + count, 0);
  };
  const countOpen = async () => {
    const dialogs = windows.map((window) => window.getByRole("dialog").count());
    return (await Promise.all(dialogs)).reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(countOpen).toBe(1);
  await expect.poll(countRefused).toBe(1);

  // The sandbox is the provider: what it returned, and how often it was asked to.
  const atProvider = async () => {
    const [row] = await db.execute<{ refunds: number; cents: number; captured: number; open: number }>(sql`
      select count(r.id)::int as refunds, coalesce(sum(r.amount_cents), 0)::int as cents, o.total_cents as captured,
        (select count(*)::int from refunds p where p.order_id = o.id and p.state in ('pending', 'submitted')) as open
      from orders o left join sandbox_refunds r on r.intent_id = o.transaction_id where o.id = ${order_id} group by o.id`);
    return row!;
  };
  await expect.poll(async () => (await atProvider()).open, { timeout: 120_000 }).toBe(0);
  const { refunds, cents, captured } = await atProvider();
  expect({ refunds, cents }).toEqual({ refunds: 1, cents: captured });
  const [stored] = await db.execute<{ refunds: number; state: string; status: string }>(sql`
    select count(f.id)::int as refunds, min(f.state) as state, o.status from orders o join refunds f on f.order_id = o.id
    where o.id = ${order_id} group by o.id`);
  expect(stored).toEqual({ refunds: 1, state: "succeeded", status: "refunded" });
  await otherContext.close();
});
