import { localizedPath } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";
import { expect, test } from "./fixtures";
import { logIn } from "./screens";
import { signUp } from "./users";

const loginRoutes = ROUTES.filter((route) => route.access === "login").map((route) => route.path);
const guestRoutes = ROUTES.filter((route) => route.access === "guest-only").map((route) => route.path);

test("a guest on a page that needs a login logs in and returns to it", async ({
  shop,
  context,
  at,
  go,
  arrive,
}) => {
  const user = await signUp(context.request, { locale: shop.locale });
  await context.clearCookies();
  const expected = at("/order-history?page=1");
  await shop.page.goto(expected);
  await arrive("/login");
  expect(new URL(shop.page.url()).searchParams.get("redirect")).toBe(expected);
  await logIn(shop, user);
  await arrive("/order-history?page=1");
  await go("/profile");
});

test("every page that needs a login redirects guests to it with the full address", { tag: "@once" }, async ({
  request,
}) => {
  for (const locale of ["en", "zh", "ja"] as const) {
    for (const surface of ["desktop", "mobile"] as const) {
      for (const path of loginRoutes) {
        const options = { locale, surface };
        const expected = localizedPath(`${path}?order_id=ord_x&source=mail`, options);
        const response = await request.get(expected, { maxRedirects: 0 });
        expect(response.status(), expected).toBe(307);
        const login = new URL(response.headers().location!, "http://server");
        expect(login.pathname).toBe(localizedPath("/login", options));
        expect(login.searchParams.get("redirect")).toBe(expected);
      }
    }
  }
});

test("signed-in users are redirected from guest pages to their profile, whatever the address asks for", {
  tag: "@all",
}, async ({ page, context, at, arrive, locale }) => {
  await signUp(context.request, { locale });
  for (const path of guestRoutes) {
    await page.goto(at(path));
    await arrive("/profile");
  }
  for (const redirect of [at("/library"), "https://evil.example/"]) {
    await page.goto(at(`/login?redirect=${encodeURIComponent(redirect)}`));
    await arrive("/profile");
  }
});

test("an ended session does not loop between login and profile", { tag: "@all" }, async ({
  page,
  context,
  at,
  arrive,
  locale,
}) => {
  await signUp(context.request, { locale });
  const { cookies } = await context.storageState();
  await context.request.post("/api/v1/auth/logout", { data: {} });
  await context.addCookies(cookies);
  await page.goto(at("/profile"));
  await arrive("/login");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
