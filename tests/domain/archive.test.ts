import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { deleteOldMails } from "@/lib/notifications/delete-old-mails";
import { deleteOldRecords } from "@/lib/tracking/delete-old-records";
import { runArchive } from "@/scripts/archive";

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "archive-"));
  for (const table of ["visits", "searches", "source_events", "mails", "webhook_events", "job_progress"])
    await db.execute(sql.raw(`delete from ${table}`));
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(closeDatabase);

const archive = async (...args: string[]) => {
  const printed: string[] = [];
  const code = await runArchive([folder, ...args], (line: string) => void printed.push(line));
  return { code, printed };
};
const readLines = (table: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(`${table}-until`))
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString()
        .trim()
        .split("\n"),
    )
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const visitOf = (days: number) =>
  db.execute(sql`insert into visits (path, locale, device_type, ip_network, created_at)
    values (${`/age-${days}`}, 'en', 'desktop', '203.0.113.0', shop_now() - make_interval(days => ${days}))`);

it("the archive has what retention deletes next, once, without personal data", async () => {
  for (const days of [1, 82, 84, 120]) await visitOf(days);
  await db.execute(sql`insert into searches (user_id, content, locale, device_type, created_at)
    values ('usr_x', 'remove background', 'en', 'computer', shop_now() - interval '85 days')`);
  await db.execute(sql`insert into mails (id, event, to_address, locale, refs, dedupe_key, state, created_at)
    values ('mail_old', 'welcome', 'mara@example.com', 'en', '{"userId":"usr_x"}', 'a', 'sent', shop_now() - interval '729 days')`);
  expect((await archive()).code).toBe(0);
  expect(readLines("visits").map(({ path }) => path)).toEqual(["/age-120", "/age-84"]);
  expect(readLines("searches")).toMatchObject([{ content: "remove background" }]);
  expect(readLines("mails")).toMatchObject([{ id: "mail_old", event: "welcome" }]);
  const everything = JSON.stringify(["visits", "searches", "mails"].map(readLines));
  for (const personal of ["203.0.113.0", "usr_x", "mara@example.com"])
    expect(everything).not.toContain(personal);

  await visitOf(50);
  const second = await archive();
  expect(second.printed).toContain("searches: nothing new");
  expect(readLines("visits").map(({ path }) => path)).toEqual(["/age-120", "/age-84"]);
  expect((await archive("--ahead", "20")).code).toBe(0);
  expect(
    readLines("visits")
      .map(({ path }) => path)
      .sort(),
  ).toEqual(["/age-120", "/age-82", "/age-84"]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

it("the archive command rejects invalid arguments", async () => {
  expect(await runArchive([], () => {})).toBe(2);
  expect((await archive("--ahead", "x")).code).toBe(2);
});

it("retention deletes rows of any partition, and drops the partitions of past months", async () => {
  const partitions = async () =>
    (await db.execute<{ name: string }>(sql`select name from partitions_of('visits') order by until`)).map(
      ({ name }) => name,
    );
  for (const days of [1, 89, 91]) await visitOf(days);
  // Rows after the partitions that exist, as if the worker had not created any.
  await visitOf(-400);
  expect(await deleteOldRecords()).toBe(1);
  await db.execute(sql`select create_partitions(14)`);
  const moved = await db.execute<{ name: string; count: number }>(sql`
    select tableoid::regclass::text as name, count(*)::int as count from visits group by 1 order by 1`);
  expect(moved.filter(({ name }) => name.endsWith("_default"))).toEqual([]);
  expect(moved.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  const before = await partitions();
  expect(before.length).toBeGreaterThan(12);
  await db.execute(sql`update shop_clock set shift = interval '300 days'`);
  await deleteOldRecords();
  const after = await partitions();
  expect(after.length).toBeLessThan(before.length);
  expect(before.slice(-after.length)).toEqual(after);
  expect(await db.execute(sql`select path from visits`)).toMatchObject([{ path: "/age--400" }]);
  await db.execute(sql`update shop_clock set shift = interval '0'`);
});

it("emails are deleted after two years, except account notices and those that still wait", async () => {
  const mail = (id: string, event: string, state: string, days: number) =>
    db.execute(sql`insert into mails (id, event, to_address, locale, refs, dedupe_key, state, created_at)
      values (${id}, ${event}, 'a@example.com', 'en', '{}', ${id}, ${state}, shop_now() - make_interval(days => ${days}))`);
  await mail("old", "keys", "sent", 731);
  await mail("failed", "keys", "failed", 900);
  await mail("notice", "account-notice", "sent", 731);
  await mail("waiting", "keys", "queued", 731);
  await mail("young", "keys", "sent", 729);
  expect(await deleteOldMails()).toBe(2);
  expect(
    (await db.execute<{ id: string }>(sql`select id from mails order by id`)).map(({ id }) => id),
  ).toEqual(["notice", "waiting", "young"]);
  expect(await deleteOldMails()).toBe(0);
});

it("the archive command resolves a relative folder from the caller's directory", async () => {
  const { INIT_CWD } = process.env;
  process.env.INIT_CWD = folder;
  await visitOf(84);
  expect(await runArchive(["archive"], () => {})).toBe(0);
  expect(readdirSync(join(folder, "archive"))).toEqual([expect.stringMatching(/^visits-until-/)]);
  if (INIT_CWD === undefined) delete process.env.INIT_CWD;
  else process.env.INIT_CWD = INIT_CWD;
});
