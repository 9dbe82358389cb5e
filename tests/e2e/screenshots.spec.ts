import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { button, pay, payButton } from "./screens";
import { fillCart, placeOrder, signUp } from "./users";

/** Screenshots for review: TEST_MATRIX=shots writes them to test-results/shots. */
for (const colorScheme of ["light", "dark"] as const) {
  test(`the screenshots are taken in the ${colorScheme} theme`, async ({ shop, context, watch }) => {
    test.slow();
    const { page, t, go, arrive, locale, device } = shop;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    let number = 0;
    const shoot = async (name: string) => {
      number += 1;
      await page.evaluate(() => document.fonts.ready);
      const file = `${device}-${locale}-${colorScheme}-${String(number).padStart(2, "0")}-${name}.png`;
      // The window gets the height of the page, so that fixed bars are at the foot of the picture.
      const window = page.viewportSize()!;
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: window.width, height: Math.max(window.height, height) });
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
      await page.screenshot({ path: `test-results/shots/${file}` });
      await page.setViewportSize(window);
    };
    const capture = async (path: string, name: string) => {
      await go(path);
      await shoot(name);
    };
    await capture("/", "home");
    await capture("/product/quillon-draft", "product");
    await capture("/product/tessock-sql", "product-untranslated");
    await capture("/login", "login");
    await capture("/register", "register");
    await capture("/category/writing", "category");
    await capture("/vendor/murrelet-sound", "vendor");
    await capture("/help", "help");
    await capture("/legal/seller", "seller");
    watch.allow(404);
    await capture("/no-such-page", "not-found");
    await capture("/blog", "blog");
    const cheapest = await findPlan("quillon-draft", 1);
    const compared = await Promise.all([7, 30].map((days) => findPlan("quillon-draft", days)));
    await capture(
      `/compare?plans=${[cheapest, ...compared].map(({ vip_id }) => vip_id).join(",")}`,
      "compare",
    );
    await go(`/product/quillon-draft?plan=${cheapest.vip_id}`);
    await button(shop, t("catalog.product.buy")).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.screenshot({
      path: `test-results/shots/${device}-${locale}-${colorScheme}-51-sign-in.png`,
    });
    await signUp(context.request, { locale, verified: true });
    const plan = await findPlan("quillon-draft", 1);
    await fillCart(context.request, await findPlan("murrelet-voice", 30));
    await fillCart(context.request, plan, 2);
    await capture("/cart", "cart");
    const orderId = await placeOrder(context.request, plan);
    await go(`/checkout?order_id=${orderId}`);
    await expect(payButton(shop, plan.price_cents * 3)).toBeEnabled();
    await shoot("checkout");
    await pay(shop, plan.price_cents * 3, "succeeded");
    await arrive(`/payment/success?order_id=${orderId}`);
    await shoot("success");
    await button(shop, t("delivery.code.reveal")).first().click();
    await expect(button(shop, t("delivery.code.copy"))).toBeVisible();
    await shoot("success-shown");
    await capture("/library", "library");
    await capture("/order-history", "orders");
    await capture(`/order-history?order_id=${orderId}`, "order");
    await capture("/profile", "profile");
    const unseen = await findPlan("latchkey-vault", 30);
    const unrevealedOrder = await placeOrder(context.request, unseen);
    await go(`/checkout?order_id=${unrevealedOrder}`);
    await payButton(shop, unseen.price_cents).click();
    await arrive(`/payment/success?order_id=${unrevealedOrder}`);
    await shoot("success-unseen");
    await capture(`/order-history?order_id=${unrevealedOrder}`, "order-unseen");
    await capture("/library", "library-unseen");
    await capture("/search?q=draft", "search");
    await capture("/limited-offer", "offers");
    await capture("/invite", "invite");
    await capture("/coupons", "coupons");
    const { product_id } = await findPlan("murrelet-voice", 30);
    await context.request.post("/api/v1/wishlist/add", { data: { product_id } });
    await capture("/wishlist", "wishlist");
    await capture("/categories", "categories");
    await capture("/free-voucher", "free");
    await capture("/unsubscribe", "unsubscribe");
    await capture("/withdraw", "withdraw");
    await capture(`/receipt?order_id=${orderId}`, "receipt");
    await capture("/blog/detail/read-a-refund-line", "post");
    const giftOrder = await placeOrder(context.request, unseen);
    await go(`/checkout?order_id=${giftOrder}`);
    await page.getByRole("checkbox", { name: t("orders.gift.toggle") }).check();
    await page.getByLabel(t("orders.gift.recipient"), { exact: true }).fill("friend@example.com");
    await shoot("checkout-gift");
    await payButton(shop, unseen.price_cents).click();
    await arrive(`/payment/success?order_id=${giftOrder}`);
    await shoot("success-gift");
    await capture(`/order-history?order_id=${giftOrder}`, "order-gift");
    const unpaid = await placeOrder(context.request, unseen);
    await capture(`/payment/cancel?order_id=${unpaid}`, "payment-cancel");
  });
}
