import type { APIRequestContext } from "@playwright/test";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { button, openMore } from "./screens";
import { buyPass, callApi, signUp } from "./users";

const getRefundState = async (request: APIRequestContext, orderId: string) => {
  type Order = { order_products: { refund_request: { state: string } | null }[] };
  const order = await callApi<Order>(request, `/order/detail?order_id=${orderId}`);
  return order.order_products[0]?.refund_request?.state;
};

test("a refund is requested once, freezes the key and shows its state", {
  tag: "@matrix",
}, async ({ shop, context, watch }) => {
  const { page, t, go, locale } = shop;
  await signUp(context.request, { locale });
  const orderId = await buyPass(context.request, await findPlan("quillon-draft", 30));
  const main = page.getByRole("main");

  await go(`/order-history?order_id=${orderId}`);
  await expect(button(shop, t("delivery.code.reveal"))).toBeVisible();
  const open = button(shop, t("orders.refund.ask"));
  const dialog = page.getByRole("dialog");
  await open.click();
  await expect(
    dialog.getByText(t("orders.refund.asks_vendor", { hours: VENDOR_CONFIRMATION_HOURS })),
  ).toBeVisible();
  await dialog.getByRole("button", { name: t("orders.refund.keep") }).click();
  await expect(dialog).toBeHidden();
  await expect(button(shop, t("delivery.code.reveal"))).toBeVisible(); // nothing was requested

  // While offline the dialog stays open and shows an error.
  await open.click();
  const confirm = dialog.getByRole("button", { name: t("orders.refund.confirm") });
  watch.allowOffline();
  await context.setOffline(true);
  await confirm.click();
  await expect(dialog.getByText(t("orders.refund.failed"))).toBeVisible();
  await context.setOffline(false);

  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/order/refund/request")) sent.push(request.url());
  });
  await confirm.dblclick();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(t("orders.refund.sent", { hours: VENDOR_CONFIRMATION_HOURS }))).toBeVisible();
  await expect(open).toBeHidden();
  await expect(button(shop, t("delivery.code.reveal"))).toBeHidden();
  expect(sent).toHaveLength(1);
  expect(await getRefundState(context.request, orderId)).toBe("asked");

  await go("/library");
  await expect(main.getByText(t("delivery.library.refund_asked"))).toBeVisible();
  await openMore(shop);
  await expect(button(shop, t("delivery.resend.button"))).toBeHidden();
});

test("the keys of an order are sent again on request", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, go, locale } = shop;
  const { email } = await signUp(context.request, { locale });
  const orderId = await buyPass(context.request, await findPlan("quillon-draft", 7));
  await go(`/order-history?order_id=${orderId}`);
  await expect(button(shop, t("orders.refund.ask"))).toBeHidden(); // a week is not refundable
  await button(shop, t("delivery.resend.button")).click();
  await expect(page.getByText(t("delivery.resend.done", { email }))).toBeVisible();
  const keys = async () => {
    const mails = (await (await context.request.get(`/dev/mailbox.json?to=${email}`)).json()) as {
      event: string;
    }[];
    return mails.filter((mail) => mail.event === "keys").length;
  };
  await expect.poll(keys, { timeout: 120_000 }).toBe(2);
});
