import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { chromium, devices } from "@playwright/test";
import { closeDatabase } from "@/db/client";
import { createStaff } from "@/db/factories/staff";
import { createBusyMerchant, merchantScreens } from "./merchant-screens";

const BASE = process.env.E2E_BASE_URL!;
const combos = (process.argv[2] ?? "desktop-en-light").split(",");
const only = process.argv[3];
const CACHE = "/tmp/sales-shots/busy.json";
const busy = existsSync(CACHE)
  ? JSON.parse(readFileSync(CACHE, "utf8"))
  : { ...(await createBusyMerchant()), staff: await createStaff() };
if (!existsSync(CACHE)) writeFileSync(CACHE, JSON.stringify(busy));
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const combo of combos) {
  const [surface, locale, scheme] = combo.split("-") as [string, string, "light" | "dark"];
  const device = surface === "phone" ? devices["Pixel 7"] : { ...devices["Desktop Chrome"] };
  const context = await browser.newContext({
    ...device,
    deviceScaleFactor: surface === "phone" ? 1 : 1,
    colorScheme: scheme,
    baseURL: BASE,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  let n = 0;
  const m = busy.merchant;
  const staffPaths = [
    "/console/merchants",
    `/console/merchants/${m.id}`,
    `/console/merchants/${m.id}/sales`,
    "/console/changes",
    `/console/changes/${busy.change}`,
  ];
  for (const path of [...merchantScreens(busy), ...staffPaths]) {
    const who = path.startsWith("/console") ? busy.staff : busy.owner;
    const [name, value] = who.cookie.split(/=(.*)/s, 2);
    await context.addCookies([{ name, value, url: BASE }]);
    n += 1;
    const file = `/tmp/sales-shots/${combo}-${String(n).padStart(2, "0")}.png`;
    if (only && !only.split(",").includes(String(n))) continue;
    try {
      await page.goto((locale === "en" ? "" : `/${locale}`) + path, { waitUntil: "load", timeout: 120_000 });
      await page.waitForTimeout(700);
      const h = await page.evaluate(() => document.documentElement.scrollHeight);
      const w = page.viewportSize()!;
      await page.setViewportSize({ width: w.width, height: Math.min(2600, Math.max(w.height, h)) });
      await page.screenshot({ path: file });
      await page.setViewportSize(w);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      console.log(n, path, wide > 0 ? `TOO WIDE ${wide}` : "");
    } catch (e) {
      console.log(n, path, String(e).slice(0, 200));
    }
  }
  await context.close();
}
await browser.close();
await closeDatabase();
