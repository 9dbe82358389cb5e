import { LOCALES } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import { ROUTES } from "@/lib/platform/routing/routes";
import { isShort } from "../setup/rounds";
import { findPlan } from "./database";
import { expect, test } from "./fixtures";
import { fillCart, signUp } from "./users";

const EXAMPLES: Record<string, string> = {
  "/product/detail/{id}": "/product/detail/1001",
  "/product/{slug}": "/product/quillon-draft",
  "/blog/detail/{slug}": "/blog/detail/how-long-a-pass",
  "/category/{slug}": "/category/writing",
  "/vendor/{slug}": "/vendor/ostrel-works",
  "/seller/{handle}": "/seller/ostrel-works",
};
const publicPaths = ROUTES.filter(({ cached }) => cached).map(({ path }) => EXAMPLES[path] ?? path);
/** Every page; in `npm test` each on one surface. */
const pagesOn = (surface: "desktop" | "mobile") =>
  publicPaths.filter((_, index) => !isShort || (index % 2 === 0) === (surface === "desktop"));
const FLIGHT = /<script[^>]*>self\.__next_f\.push\((\[.*?\])\)<\/script>/gs;

/**
 * The content of a page, sorted: without times of the server's clock, and without the ids that React assigns in the order
 * of completion.
 */
function contentOf(html: string): string {
  let flight = "";
  const page = html.replace(FLIGHT, (_, json: string) => {
    const [kind, text] = JSON.parse(json) as [number, string];
    if (kind === 1) flight += text;
    return "";
  });
  const rows = flight
    .replace(/\$L?[0-9a-f]+(?=")/g, "$")
    .replace(/^[0-9a-f]+:/gm, "")
    .split("\n");
  return [...page.split("<"), ...rows]
    .map((piece) => piece.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replace(/\b1[78]\d{11}\b/g, "TIME"))
    .sort()
    .join("\n");
}

for (const locale of LOCALES) {
  const tag = locale === "en" ? ["@once"] : ["@all", "@once"];
  test(`public pages in ${locale} are the same for guests and users`, { tag }, async ({
    playwright,
    baseURL,
  }) => {
    const guest = await playwright.request.newContext({ baseURL });
    const member = await playwright.request.newContext({ baseURL });
    const { email, username } = await signUp(member, { locale });
    await fillCart(member, await findPlan("quillon-draft", 30));
    for (const surface of ["desktop", "mobile"] as const) {
      for (const path of pagesOn(surface)) {
        const address = localizedPath(path, { locale, surface });
        let [guestPage, memberPage] = [await guest.get(address), await member.get(address)];
        // Other journeys change stock and visits at the same time; such differences disappear on a retry.
        for (
          let retries = 0;
          retries < 4 && contentOf(await guestPage.text()) !== contentOf(await memberPage.text());
          retries += 1
        )
          [guestPage, memberPage] = await Promise.all([guest.get(address), member.get(address)]);
        expect(guestPage.status(), address).toBe(200);
        for (const response of [guestPage, memberPage]) {
          expect(response.headers()["set-cookie"], address).toBeUndefined();
          expect(response.headers()["cache-control"], address).toMatch(/^public, max-age=0, must-revalidate/);
        }
        const [guestHtml, memberHtml] = [await guestPage.text(), await memberPage.text()];
        for (const personal of [email, username, "signed_in", "cart_count", "nonce="])
          expect(memberHtml, address).not.toContain(personal);
        expect(contentOf(memberHtml), address).toBe(contentOf(guestHtml));
      }
    }
    await Promise.all([guest.dispose(), member.dispose()]);
  });
}

/** Pages about one order; without its id they lead to another page. */
const OF_AN_ORDER = /^\/(checkout|receipt|payment\/\w+)$/;

test("personal pages are private and not stored", { tag: "@once" }, async ({
  context,
  locale,
  baseURL,
  playwright,
}) => {
  await signUp(context.request, { locale });
  for (const { path } of ROUTES.filter((route) => route.access === "login")) {
    const ofOrder = OF_AN_ORDER.test(path);
    const response = await context.request.get(ofOrder ? `${path}?order_id=ord_unknown` : path);
    expect(response.status(), path).toBe(ofOrder ? 404 : 200);
    expect(response.headers()["cache-control"], path).toBe("private, no-store");
    expect(response.headers()["content-security-policy"], path).toContain("'nonce-");
  }
  const guest = await playwright.request.newContext({ baseURL });
  expect((await guest.get("/login")).headers()["cache-control"]).toBe("private, no-store");
  await guest.dispose();
});

test("a visit sets no cookie except for a campaign address, and scripts cannot read the session", {
  tag: "@once",
}, async ({ page, context, go, locale }) => {
  for (const path of ["/", "/top-trending", "/product/quillon-draft"]) await go(path);
  expect(await context.cookies()).toEqual([]);
  await go("/top-trending?source=mail&campaign=x");
  expect((await context.cookies()).map(({ name }) => name)).toEqual(["attribution"]);
  await context.clearCookies();
  await signUp(context.request, { locale });
  await go("/profile");
  expect(await page.evaluate(() => document.cookie)).toBe("");
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/token|eyJ/);
});
