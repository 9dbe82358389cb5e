import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import {
  changeAnnouncement,
  createAnnouncement,
  endAnnouncement,
} from "@/lib/notifications/announcements/change-announcements";
import { AnnouncementInput } from "@/lib/notifications/announcements/contract";
import { findAnnouncement } from "@/lib/notifications/announcements/find-announcement";
import { listAnnouncements } from "@/lib/notifications/announcements/list-announcements";
import { InvalidationListener } from "@/lib/platform/page-cache/invalidation-listener";
import { findNextChange } from "@/lib/platform/page-cache/next-change";
import { getErrorName } from "../setup/error-name";
import { withTags } from "../setup/page-tags";
import * as sale from "../setup/sale";

let listener: InvalidationListener;
let notified: string[] = [];
let staff: StaffUser;
beforeAll(async () => {
  listener = await InvalidationListener.open({ onTag: (tag) => notified.push(tag), onLost: () => {} });
  staff = await createStaff({ roles: ["catalogue"] });
});
beforeEach(() => db.execute(sql`delete from announcements`));
afterEach(() => sale.setClockAhead("0"));
afterAll(async () => {
  await listener.stop();
  await sale.closeSale();
});

const texts = { en: "Back at nine", zh: "九点恢复", ja: "9時に再開します" };
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const announce = (input: Partial<AnnouncementInput> = {}) =>
  createAnnouncement(staff.viewer, { texts, ends_at: inHours(2), ...input });

/** An announcement as the console lists it. */
const seen = async (id: string) => {
  const { items } = await listAnnouncements();
  return { version: items.find(({ announcement_id }) => announcement_id === id)?.version };
};

/** Whether a change invalidates the pages. */
async function invalidates(change: () => Promise<unknown>): Promise<boolean> {
  await listener.confirm();
  notified = [];
  await change();
  expect(await listener.confirm()).toBe(true);
  return notified.includes("announcements");
}

describe("an announcement", () => {
  it("is shown in each language from its start to its end", async () => {
    const { announcement_id: id, state, ends_at } = await announce({ link: "/limited-offer" });
    expect(state).toBe("running");
    for (const locale of ["en", "zh", "ja"] as const)
      expect(await findAnnouncement(locale)).toEqual({
        id,
        text: texts[locale],
        link: "/limited-offer",
        endsAt: Date.parse(ends_at),
      });
    await sale.setClockAhead("2 hours 1 second");
    expect(await findAnnouncement("en")).toBeNull();
    expect((await listAnnouncements()).items).toMatchObject([{ announcement_id: id, state: "ended" }]);
  });

  it("tags the pages that show it, and those that show none", async () => {
    const tags = new Set<string>();
    await withTags(tags, () => findAnnouncement("en"));
    expect([...tags]).toEqual(["announcements"]);
  });

  it("is shown if it started last", async () => {
    await announce();
    const { announcement_id: id } = await announce({ texts: { ...texts, en: "Newer" } });
    await announce({ starts_at: inHours(1) });
    expect(await findAnnouncement("en")).toMatchObject({ id, text: "Newer" });
  });

  it("invalidates the pages when it starts, changes or is ended, not when it is scheduled", async () => {
    let id = "";
    expect(await invalidates(async () => ({ announcement_id: id } = await announce()))).toBe(true);
    const input = { texts: { ...texts, en: "At ten" }, ends_at: inHours(3) };
    const change = { ...input, ...(await seen(id)) };
    expect(await invalidates(() => changeAnnouncement(staff.viewer, id, change))).toBe(true);
    expect((await findAnnouncement("en"))?.text).toBe("At ten");
    const changed = await seen(id);
    expect(await invalidates(() => endAnnouncement(staff.viewer, id, changed))).toBe(true);
    expect(await findAnnouncement("en")).toBeNull();
    const planned = { starts_at: inHours(1) };
    expect(await invalidates(async () => ({ announcement_id: id } = await announce(planned)))).toBe(false);
    const scheduled = await seen(id);
    expect(await invalidates(() => endAnnouncement(staff.viewer, id, scheduled))).toBe(false);
  });

  it("limits the lifetime of cached pages to its start and its end", async () => {
    const minutesLeft = async () => ((await findNextChange())! - performance.now()) / 60_000;
    await announce({ starts_at: inHours(0.05), ends_at: inHours(0.1) });
    expect(await minutesLeft()).toBeCloseTo(3, 0);
    await sale.setClockAhead("4 minutes");
    expect(await minutesLeft()).toBeCloseTo(2, 0);
  });

  it("keeps its start when its texts are changed, and is not changed once it has ended", async () => {
    const { announcement_id: id, starts_at } = await announce();
    const input = { texts, ends_at: inHours(1) };
    const shown = await seen(id);
    const changed = await changeAnnouncement(staff.viewer, id, { ...input, ...shown });
    expect(changed.starts_at).toBe(starts_at);
    const { version } = changed;
    await endAnnouncement(staff.viewer, id, { version });
    expect(await getErrorName(changeAnnouncement(staff.viewer, id, { ...input, version }))).toBe(
      "announcement_ended",
    );
    expect(await getErrorName(endAnnouncement(staff.viewer, id, { version }))).toBe("announcement_ended");
    expect(await getErrorName(endAnnouncement(staff.viewer, "ann_none", {}))).toBe("announcement_unknown");
    const actions = await db.execute(
      sql`select action, actor from audit_entries where subject = ${id} order by id`,
    );
    expect(actions).toEqual(
      ["created", "changed", "ended"].map((name) => ({
        action: `announcement.${name}`,
        actor: staff.id,
      })),
    );
  });

  it.each([
    ["its texts", { texts: { ...texts, ja: "10時に再開します" } }],
    ["its link", { link: "/help" }],
    ["its end", { ends_at: inHours(5) }],
  ])("is not changed or ended from a screen that shows an outdated %s", async (_, other) => {
    const ends_at = inHours(2);
    const { announcement_id: id, ...shown } = await announce({ ends_at });
    const old = { version: shown.version };
    const newest = await changeAnnouncement(staff.viewer, id, { texts, ends_at, ...other, ...old });
    const mine = { texts: { ...texts, en: "Mine" }, ends_at };
    for (const seen of [old, {}]) {
      expect(await getErrorName(changeAnnouncement(staff.viewer, id, { ...mine, ...seen }))).toBe(
        "revision_conflict",
      );
      expect(await getErrorName(endAnnouncement(staff.viewer, id, seen))).toBe("revision_conflict");
    }
    expect((await listAnnouncements()).items).toEqual([newest]);
    const after = await changeAnnouncement(staff.viewer, id, { ...mine, version: newest.version });
    expect(after.texts.en).toBe("Mine");
    expect((await endAnnouncement(staff.viewer, id, after)).state).toBe("ended");
  });

  it("requires an end in the future and after its start", async () => {
    for (const input of [{ ends_at: inHours(-1) }, { starts_at: inHours(2), ends_at: inHours(1) }])
      expect(await getErrorName(announce(input))).toBe("period_invalid");
    expect((await listAnnouncements()).total).toBe(0);
  });

  it.each([
    ["/limited-offer", true],
    ["/", true],
    ["/limited-offer//now?a=b#c", true],
    ["https://status.example/now", true],
    ["https://status.example", true],
    ["//evil.example", false],
    ["//", false],
    ["/limited offer", false],
    ["/limited\\offer", false],
    ["https://", false],
    ["https://user@evil.example", false],
    ["/\\evil.example", false],
    ["http://plain.example", false],
    ["javascript:alert(1)", false],
    ['https://x.example/"onclick=', false],
  ])("may link to %s: %s", (link, allowed) => {
    expect(AnnouncementInput.safeParse({ texts, link, ends_at: inHours(1) }).success).toBe(allowed);
  });
});
