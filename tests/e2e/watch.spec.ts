import { expect, test } from "./fixtures";

test("the watch that accompanies every journey reports problems", { tag: "@once" }, async ({
  page,
  go,
  watch,
}) => {
  await go("/profile");
  expect(watch.problems).toEqual([]);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      "beforeend",
      `<button id="inline" onclick="document.title = 'inline'"></button><img src="https://elsewhere.example/p.gif">`,
    );
    document.getElementById("inline")?.click();
    setTimeout(() => {
      throw new Error("uncaught");
    });
    console.error("complaint");
    return fetch("/api/v1/cart/list");
  });
  for (const what of [/script-src-attr/, /img-src/, /request to/, /uncaught/, /complaint/, /status of 401/])
    await expect.poll(() => watch.problems.join("\n")).toMatch(what);
  await expect(page).not.toHaveTitle("inline");
  watch.problems.length = 0;
});
