import type { APIRequestContext, Page } from "@playwright/test";
import { formatPrice } from "@/lib/platform/money";
import { findOrderKeys, findPlan } from "./database";
import { expect, test } from "./fixtures";
import { button, stubOf } from "./screens";
import { buyPass, callApi, signUp } from "./users";

// No statutory right of withdrawal: the button of a stub is in sight only for keys, and the stub is torn off.
test.use({ timezoneId: "Asia/Tokyo", extraHTTPHeaders: { "time-zone": "Asia/Tokyo" } });

/** Buys a month pass whose code stays unseen in the library. Returns the order and the refundable amount. */
async function buyUnseen(request: APIRequestContext) {
  const plan = await findPlan("ackwith-minutes", 30);
  const orderId = await buyPass(request, plan, { immediate_delivery: false });
  return { orderId, price: plan.price_cents };
}

/** Counts the calls that revealed a code. */
function countReveals(page: Page) {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/library/reveal")) sent.push(request.url());
  });
  return sent;
}

test("a stub that is dragged too little, dragged back or torn while offline springs back, and then tears off once", async ({
  shop,
  context,
  watch,
}) => {
  const { page, t, go, locale } = shop;
  await signUp(context.request, { locale });
  const { orderId, price } = await buyUnseen(context.request);
  const sent = countReveals(page);
  await page.clock.install();
  await go("/library");
  const stub = stubOf(shop);
  await expect(stub).toContainText(t("delivery.code.starts", { days: 30 }));
  await expect(stub).toContainText(formatPrice(price, locale));
  const [code] = await findOrderKeys(orderId);
  const shown = page.getByRole("main").getByText(code!, { exact: true });

  const { mouse } = page;
  let [x, y] = [0, 0];
  const press = async () => {
    ({ x, y } = (await stub.boundingBox())!); // a bar above the page may have moved it
    await mouse.move(x + 24, y + 16);
    await mouse.down();
  };
  const isClosed = () => expect(stub).toHaveCSS("--torn", "0");

  await press();
  await mouse.move(x + 94, y + 16, { steps: 4 }); // 70 of 130 px
  await expect(stub).not.toHaveCSS("--torn", "0");
  await mouse.up();
  await isClosed();
  await press();
  await mouse.move(x + 44, y + 16, { steps: 4 }); // away from where it was held
  await page.clock.fastForward(1000); // longer than it has to be held
  await mouse.up();
  await isClosed();
  expect(sent).toHaveLength(0);

  watch.allowOffline();
  await context.setOffline(true);
  await expect(page.getByText(t("ui.banner.offline"))).toBeVisible();
  await press();
  await mouse.move(x + 154, y + 16, { steps: 6 });
  await mouse.up();
  await expect(stub.getByRole("alert")).toHaveText(t("errors.network"));
  await isClosed();
  await expect(shown).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByText(t("ui.banner.offline"))).toBeHidden(); // the page moves up with it

  sent.length = 0;
  await press();
  await mouse.move(x + 154, y + 16, { steps: 6 });
  await mouse.up();
  await mouse.dblclick(x + 24, y + 16);
  await expect(shown).toBeVisible();
  await expect(stub).toHaveCount(0);
  expect(sent).toHaveLength(1);
});

test("a stub that is held still for long enough tears off", { tag: "@all" }, async ({ shop, context }) => {
  const { page, go, locale } = shop;
  await signUp(context.request, { locale });
  const { orderId } = await buyUnseen(context.request);
  await go("/library");
  const { x, y } = (await stubOf(shop).boundingBox())!;
  await page.mouse.move(x + 24, y + 16);
  await page.mouse.down();
  const [code] = await findOrderKeys(orderId);
  await expect(page.getByRole("main").getByText(code!, { exact: true })).toBeVisible();
  await page.mouse.up();
});

test("a stub has a visible button when motion is reduced", { tag: "@all" }, async ({ shop, context }) => {
  const { page, t, go, locale } = shop;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signUp(context.request, { locale });
  const { orderId } = await buyUnseen(context.request);
  await go("/library");
  await expect(stubOf(shop).getByText(t("delivery.code.how"))).toBeHidden();
  await button(shop, t("delivery.code.reveal")).click();
  const [code] = await findOrderKeys(orderId);
  await expect(page.getByRole("main").getByText(code!, { exact: true })).toBeVisible();
});

test("a stub without JavaScript is a form that shows the code to its owner, from our pages only", {
  tag: ["@all", "@once"],
}, async ({ shop, context, browser, baseURL, playwright }) => {
  const { t, locale } = shop;
  await signUp(context.request, { locale });
  const { orderId } = await buyUnseen(context.request);
  const [code] = await findOrderKeys(orderId);
  const plain = await browser.newContext({
    baseURL,
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  });
  const page = await plain.newPage();
  await page.goto("/library");
  const [pass] = (await callApi<{ items: { library_id: string }[] }>(context.request, "/library")).items;
  const form = { library_id: pass!.library_id, target_lang: locale };

  const foreign = await plain.request.post("/show-code", {
    form,
    headers: { origin: "https://evil.example" },
  });
  expect(foreign.status()).toBe(403);
  const unnamed = await plain.request.post("/show-code", { form });
  expect(unnamed.status()).toBe(403);
  const otherShopper = await playwright.request.newContext({ baseURL });
  await signUp(otherShopper, { locale });
  const other = await otherShopper.post("/show-code", {
    form,
    headers: { origin: new URL(baseURL!).origin },
  });
  expect(await other.text()).toContain(t("errors.key_unknown"));
  for (const response of [foreign, unnamed, other]) expect(await response.text()).not.toContain(code!);
  await otherShopper.dispose();

  await page.getByRole("button", { name: t("delivery.code.reveal") }).click();
  await expect(page.locator("code")).toHaveText(code!);
  await page.getByRole("link", { name: t("delivery.code.alone_back") }).click();
  await expect(page.getByRole("button", { name: t("delivery.code.reveal") })).toBeVisible();
  await plain.close();
});
