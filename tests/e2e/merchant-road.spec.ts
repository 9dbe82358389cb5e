import { createStaff, currentCode } from "@/db/factories/staff";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";
import { verificationCode, waitForMail } from "./mails";
import { button } from "./screens";
import { callApi, newUser } from "./users";
import { watchContext } from "./watch";

test(
  "an applicant becomes the owner of a merchant and sets it up",
  { tag: "@all" },
  async ({ shop, context, browser, openShop, baseURL, watch: staffPages }, { project }) => {
    staffPages.allow(401, 403);
    const { page, t, locale } = shop;
    const c = consoleTexts(locale);
    const applicant = newUser();
    const host = `alder-${Date.now()}-${locale}`;
    const input = {
      email: applicant.email,
      productUrl: `https://www.${host}.example/app`,
      phoneNum: "+14155550123",
    };
    const { application_id } = await callApi<{ application_id: string }>(
      page.request,
      "/business/register",
      input,
    );

    // Staff approve, and see first what that does.
    await signInAs(context, baseURL!, await createStaff());
    await page.goto(consolePath(`/console/applications/${application_id}`, locale));
    await waitUntilInteractive(page);
    await page.getByRole("button", { name: c("console.applications.approve"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel(c("console.applications.handle"), { exact: true })).toHaveValue(host);
    await dialog.getByRole("button", { name: c("console.effects.continue") }).click();
    await expect(dialog.getByText(c("console.mail_events.merchant-invite"))).toBeVisible();
    await dialog.getByRole("button", { name: c("console.applications.approve"), exact: true }).click();
    await expect(page.getByText(c("console.applications.approved"))).toBeVisible();
    await page.goto(consolePath("/console/merchants", locale));
    await expect(page.getByText(host, { exact: true })).toBeVisible();
    await expectAccessible(page, "merchants");

    const mail = await waitForMail(page.request, applicant.email, "merchant-invite");
    const [path] = /\/business\/invite\/[\w-]+/.exec(mail.text)!;
    const theirContext = await browser.newContext({
      ...project.use,
      baseURL,
      extraHTTPHeaders: { "x-forwarded-for": "198.51.100.79" },
    });
    const watch = await watchContext(theirContext, new URL(baseURL!).origin);
    watch.allow(401, 403);
    const theirs = await openShop(theirContext);
    await theirs.go(path);
    await expectAccessible(theirs.page, "the invitation");
    await button(theirs, t("merchants.invite.action")).click();
    const form = theirs.page.getByRole("dialog");
    await form.getByLabel(t("accounts.field.email"), { exact: true }).fill(applicant.email);
    await form.getByLabel(t("accounts.field.password"), { exact: true }).fill(applicant.password);
    await form.getByRole("radio", { name: t("accounts.in_place.adult") }).check();
    await form.getByRole("button", { name: t("accounts.in_place.create") }).click();
    await button(theirs, t("accounts.verify.send")).click();
    await theirs.page
      .getByLabel(t("accounts.code.label"), { exact: true })
      .fill(await verificationCode(page.request, applicant.email));
    await button(theirs, t("accounts.verify.submit")).click(); // accepts too

    // The owner sets up the second factor, and is led to the console.
    const seller = theirs.page;
    await seller.waitForURL(/\/security\?redirect=/);
    await waitUntilInteractive(seller);
    await seller.getByRole("button", { name: c("console.enter.setup_start") }).click();
    const secret = ((await seller.locator("code").textContent()) ?? "").replace(/\s/g, "");
    await seller.getByLabel(c("console.enter.code"), { exact: true }).fill(await currentCode(secret));
    await seller.getByRole("button", { name: c("console.enter.confirm"), exact: true }).click();
    await seller.getByRole("checkbox", { name: c("console.enter.stored") }).check();
    await seller.getByRole("button", { name: c("console.enter.continue"), exact: true }).click();
    const home = consolePath(`/merchant/${host}`, locale);
    await seller.waitForURL((url) => url.pathname === home);
    await expect(
      seller.getByText(c("console.merchant_home.steps_done", { done: 1, count: 5 })),
    ).toBeVisible();
    await expectAccessible(seller, "the merchant's home");

    // Profile, a colleague, a token.
    await seller.getByRole("link", { name: c("console.merchant_home.step.profile") }).click();
    await seller.waitForURL(/\/profile$/);
    await waitUntilInteractive(seller);
    await seller.locator('[name="texts.en"]').fill("We make tools.");
    await seller.locator('[name="texts.zh"]').fill("We make tools.");
    await seller.locator('[name="support_email"]').fill(applicant.email);
    await seller.getByRole("button", { name: c("console.merchant_profile.save"), exact: true }).click();
    await expect(seller.locator('[name="texts.zh"]')).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(seller, "the profile");
    await seller.locator('[name="texts.zh"]').fill("我们做工具。");
    await seller.getByRole("button", { name: c("console.merchant_profile.save"), exact: true }).click();
    await expect(seller.getByText(c("console.merchant_profile.saved"))).toBeVisible();

    await seller.goto(consolePath(`/merchant/${host}/team`, locale));
    await waitUntilInteractive(seller);
    const colleague = newUser().email;
    await seller.getByRole("button", { name: c("console.merchant_team.invite"), exact: true }).click();
    await seller.getByRole("dialog").getByRole("textbox").fill(colleague);
    await seller.getByRole("button", { name: c("console.merchant_team.send") }).click();
    await expect(seller.getByRole("cell", { name: colleague })).toBeVisible();
    await expectAccessible(seller, "the team");

    await seller.goto(consolePath(`/merchant/${host}/tokens`, locale));
    await waitUntilInteractive(seller);
    await seller.getByRole("button", { name: c("console.merchant_tokens.create"), exact: true }).click();
    await seller.locator('[name="name"]').fill("Robot");
    await seller.getByRole("checkbox").first().check();
    await seller
      .getByRole("dialog")
      .getByRole("button", { name: c("console.merchant_tokens.create"), exact: true })
      .click();
    const token = await seller.locator("code").textContent();
    const me = await page.request.get("/api/v1/merchant/me", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await me.json()).data).toMatchObject({ handle: host, state: "active" });
    await expectAccessible(seller, "the tokens");
    await seller.goto(consolePath(`/merchant/${host}/developers`, locale));
    await waitUntilInteractive(seller);
    await expectAccessible(seller, "the developers page");
    expect(watch.problems).toEqual([]);
    await theirContext.close();
  },
);
