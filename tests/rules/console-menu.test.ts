import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { CONSOLE_SCREENS, familiesOf, screensFor } from "@/components/staff/screens";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { QUEUES } from "@/lib/staff/today/rules";

const FOLDER = "app/[locale]/(console)/console";
/** The entrance is before the menu, and the catch-all answers unknown addresses. */
const OUTSIDE = ["enter", "[...rest]"];

it("the menu names every screen of the staff console", () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).filter((name) => !OUTSIDE.includes(name));
  const paths = CONSOLE_SCREENS.map(({ path }) => path);
  expect(paths.toSorted()).toEqual(["/console", ...names.map((name) => `/console/${name}`)].toSorted());
});

it("the menu has so few entries that all are in sight, and each screen is in one of them or in the person's menu", () => {
  for (const role of STAFF_ROLES) {
    const screens = screensFor([role]);
    const families = familiesOf(screens);
    expect(families.length).toBeLessThanOrEqual(22);
    const members = families.flatMap((family) => family.members);
    const own = screens.filter(({ within }) => within === "account");
    expect(new Set([...members, ...own])).toEqual(new Set(screens));
  }
});

it("each queue is counted at a screen that its staff may open", () => {
  for (const { path, permission } of QUEUES) {
    const screen = CONSOLE_SCREENS.find((each) => each.path === path.split("?", 1)[0]);
    expect(screen, permission).toBeDefined();
  }
});
