import { expect, test } from "./fixtures";

test("an unknown address says so", async ({ page, go, t, watch }) => {
  watch.allow(404);
  await go("/no-such-page");
  await expect(page.getByRole("heading", { level: 1, name: t("ui.not_found.title") })).toBeVisible();
});
