import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DrizzleQueryError, eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { registerMail, sendMailJob, sweepMailsJob } from "@/lib/notifications/jobs";
import { queueMail } from "@/lib/notifications/queue-mail";
import { MAIL_ATTEMPTS } from "@/lib/notifications/rules";
import { newId } from "@/lib/platform/crypto/ids";

const folder = vi.hoisted(() => {
  const dataDir = `${process.env.TMPDIR ?? "/tmp"}/passlane-outbox-${process.pid}`;
  vi.stubEnv("DATA_DIR", dataDir);
  vi.stubEnv("MAIL_MODE", "local");
  vi.stubEnv("LOG_LEVEL", "silent");
  return dataDir;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await closeDatabase();
});

const hooks = { load: 0, sent: 0, fail: null as string | null, obsolete: false };
registerMail("welcome", {
  async load({ name }) {
    hooks.load += 1;
    if (hooks.fail === "load") throw new Error("no data yet");
    if (hooks.fail === "statement")
      throw new DrizzleQueryError("select $1", ["mara@example.com"], new Error("connection lost"));
    return hooks.obsolete ? null : { username: String(name) };
  },
  async afterSent() {
    if (hooks.fail === "afterSent") throw new Error("crashed between send and mark");
    hooks.sent += 1;
  },
});
beforeEach(() => Object.assign(hooks, { load: 0, sent: 0, fail: null, obsolete: false }));

const uniqueAddress = () => `${newId("m")}@example.com`;
const queue = (to: string, dedupeKey = newId("once")) =>
  transaction((tx) =>
    queueMail(tx, { event: "welcome", to, locale: "ja", refs: { name: "Mara" }, dedupeKey }),
  );
const getMail = async (id: string) => (await db.select().from(mails).where(eq(mails.id, id)))[0]!;
const sendNow = (mailId: string) => sendMailJob.run({ mailId });
const listJobs = async (mailId: string) => [
  ...(await db.execute<{ max_attempts: number }>(
    sql`select max_attempts from graphile_worker.jobs where key = ${mailId} and task_identifier = 'send-mail'`,
  )),
];
const readMailFiles = () =>
  readdirSync(path.join(folder, "mailbox")).map((name) =>
    readFileSync(path.join(folder, "mailbox", name), "utf8"),
  );

describe("queueing a mail", () => {
  it("writes the mail and its job together", async () => {
    const id = (await queue(uniqueAddress()))!;
    expect(await getMail(id)).toMatchObject({ event: "welcome", state: "queued", locale: "ja", attempts: 0 });
    expect(await listJobs(id)).toHaveLength(1);
  });

  it("writes neither when the transaction fails", async () => {
    let id: string | null = null;
    const failed = transaction(async (tx) => {
      id = await queueMail(tx, {
        event: "welcome",
        to: uniqueAddress(),
        locale: "en",
        refs: {},
        dedupeKey: newId("once"),
      });
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await db.select().from(mails).where(eq(mails.id, id!))).toEqual([]);
    expect(await listJobs(id!)).toEqual([]);
  });

  it("queues one mail for each dedupe key, also for concurrent requests", async () => {
    const to = uniqueAddress();
    const key = newId("once");
    const ids = await Promise.all(Array.from({ length: 10 }, () => queue(to, key)));
    expect(ids.filter(Boolean)).toHaveLength(1);
  });
});

describe("sending a mail", () => {
  it("sends it, marks it sent and calls afterSent, once", async () => {
    const to = uniqueAddress();
    const id = (await queue(to))!;
    await sendNow(id);
    await sendNow(id);
    expect(hooks).toMatchObject({ load: 1, sent: 1 });
    const row = await getMail(id);
    expect([row.state, row.sentAt instanceof Date]).toEqual(["sent", true]);
    const [mail, ...otherMails] = (await findMailboxMails(to))!;
    expect(otherMails).toEqual([]);
    expect(mail).toMatchObject({
      id,
      to,
      event: "welcome",
      locale: "ja",
      headers: { "Content-Language": "ja" },
    });
    expect(mail!.text).toContain("Maraさん");
  });

  it("writes the same file again after a crash between sending and marking", async () => {
    const to = uniqueAddress();
    const id = (await queue(to))!;
    hooks.fail = "afterSent";
    await expect(sendNow(id)).rejects.toThrow("crashed");
    expect((await getMail(id)).state).toBe("queued");
    const before = readMailFiles();
    hooks.fail = null;
    await sendNow(id);
    expect(readMailFiles()).toEqual(before);
    expect((await getMail(id)).state).toBe("sent");
    expect(hooks.sent).toBe(1);
    expect(await findMailboxMails(to)).toHaveLength(1);
  });

  it("calls afterSent once when several workers send the same mail", async () => {
    const to = uniqueAddress();
    const id = (await queue(to))!;
    await Promise.all([sendNow(id), sendNow(id), sendNow(id)]);
    expect(hooks.sent).toBe(1);
    expect(await findMailboxMails(to)).toHaveLength(1);
  });

  it("retries until the last attempt, then marks it failed", async () => {
    const id = (await queue(uniqueAddress()))!;
    hooks.fail = "load";
    for (let attempt = 1; attempt < MAIL_ATTEMPTS; attempt += 1)
      await expect(sendNow(id)).rejects.toThrow("no data");
    expect(await getMail(id)).toMatchObject({ state: "queued", attempts: MAIL_ATTEMPTS - 1 });
    await sendNow(id);
    expect(await getMail(id)).toMatchObject({
      state: "failed",
      attempts: MAIL_ATTEMPTS,
      lastError: "Error: no data yet",
    });
    expect((await listJobs(id))[0]!.max_attempts).toBeGreaterThan(MAIL_ATTEMPTS);
  });

  it("stores the cause of a failed statement without its values", async () => {
    const id = (await queue(uniqueAddress()))!;
    hooks.fail = "statement";
    await expect(sendNow(id)).rejects.toThrow();
    expect((await getMail(id)).lastError).toBe("Error: connection lost");
  });

  it("does not retry an invalid address or an obsolete mail", async () => {
    const rejected = (await queue("a@example.com\r\nBcc: b@example.com"))!;
    await sendNow(rejected);
    expect(await getMail(rejected)).toMatchObject({ state: "failed", attempts: 1 });
    const obsolete = (await queue(uniqueAddress()))!;
    hooks.obsolete = true;
    await sendNow(obsolete);
    expect(await getMail(obsolete)).toMatchObject({
      state: "dropped",
      attempts: 1,
      lastError: "ObsoleteMailError: the email is no longer needed",
    });
  });

  it("ignores an unknown mail", async () => {
    await expect(sendNow("mail_unknown")).resolves.toBeUndefined();
  });
});

describe("the mail sweeper", () => {
  const loseJob = (id: string) =>
    db.execute(
      sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key = ${id}))`,
    );
  const makeOlder = (id: string, interval: string) =>
    db.execute(sql`update mails set created_at = shop_now() - ${interval}::interval where id = ${id}`);

  it("queues a new job for a mail without one after five minutes", async () => {
    const to = uniqueAddress();
    const id = (await queue(to))!;
    await loseJob(id);
    await sweepMailsJob.run(undefined);
    expect(await listJobs(id)).toEqual([]);
    await makeOlder(id, "6 minutes");
    await sweepMailsJob.run(undefined);
    await sweepMailsJob.run(undefined);
    expect(await listJobs(id)).toHaveLength(1);
    await sendNow(id);
    expect(await findMailboxMails(to)).toHaveLength(1);
  });

  it("resets a job that failed permanently, and queues none for a sent mail", async () => {
    const failedMail = (await queue(uniqueAddress()))!;
    const sent = (await queue(uniqueAddress()))!;
    await sendNow(sent);
    await loseJob(sent);
    await db.execute(sql`select graphile_worker.permanently_fail_jobs(
      array(select id from graphile_worker.jobs where key = ${failedMail}))`);
    for (const id of [failedMail, sent]) await makeOlder(id, "6 minutes");
    await sweepMailsJob.run(undefined);
    const [job] = await db.execute(sql`select attempts from graphile_worker.jobs where key = ${failedMail}`);
    expect(job).toEqual({ attempts: 0 });
    expect(await listJobs(sent)).toEqual([]);
  });

  it("does not change a job that waits for its next attempt", async () => {
    const id = (await queue(uniqueAddress()))!;
    await makeOlder(id, "1 hour");
    await db.execute(sql`select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where key = ${id}), run_at => now() + interval '1 hour', attempts => 3)`);
    await sweepMailsJob.run(undefined);
    const [job] = await db.execute(
      sql`select attempts, run_at > now() + interval '50 minutes' as later from graphile_worker.jobs where key = ${id}`,
    );
    expect(job).toEqual({ attempts: 3, later: true });
  });

  it("retries mails delayed by an outage once others are sent again, but not mails that fail on their own", async () => {
    const isDelayed = async (id: string) => {
      const [job] = await db.execute<{ later: boolean }>(
        sql`select run_at > now() as later from graphile_worker.jobs where key = ${id}`,
      );
      return job!.later;
    };
    /** A mail that failed at this time and is delayed by an hour, as the queue does. */
    const createFailedMail = async (failedAgo: string) => {
      const id = (await queue(uniqueAddress()))!;
      hooks.fail = "load";
      await expect(sendNow(id)).rejects.toThrow("no data");
      hooks.fail = null;
      await db.execute(
        sql`update mails set failed_at = shop_now() - ${failedAgo}::interval where id = ${id}`,
      );
      await db.execute(sql`select graphile_worker.reschedule_jobs(
        array(select id from graphile_worker.jobs where key = ${id}), run_at => now() + interval '1 hour')`);
      return id;
    };
    await db.execute(
      sql`update mails set sent_at = shop_now() - interval '1 hour' where sent_at is not null`,
    );
    const delayed = await createFailedMail("1 minute");
    await sweepMailsJob.run(undefined);
    expect(await isDelayed(delayed)).toBe(true);
    await sendNow((await queue(uniqueAddress()))!); // the outage ends
    const failingMail = await createFailedMail("0 seconds");
    await sweepMailsJob.run(undefined);
    expect([await isDelayed(delayed), await isDelayed(failingMail)]).toEqual([false, true]);
    await sendNow((await queue(uniqueAddress()))!);
    await sweepMailsJob.run(undefined);
    expect(await isDelayed(failingMail)).toBe(true);
  });
});
