import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DrizzleQueryError, eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import { queueMail } from "@/lib/notifications/commands";
import { registerMail, sendMailJob, sweepMailsJob } from "@/lib/notifications/jobs";
import { findMailboxMails } from "@/lib/notifications/queries";
import { MAIL_ATTEMPTS } from "@/lib/notifications/rules";
import { newId } from "@/lib/platform/crypto/ids";

const folder = vi.hoisted(() => {
  const here = `${process.env.TMPDIR ?? "/tmp"}/passlane-outbox-${process.pid}`;
  vi.stubEnv("DATA_DIR", here);
  vi.stubEnv("MAIL_MODE", "local");
  vi.stubEnv("LOG_LEVEL", "silent");
  return here;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await closeDatabase();
});

const hooks = { load: 0, sent: 0, fail: null as string | null, over: false };
registerMail("welcome", {
  async load({ name }) {
    hooks.load += 1;
    if (hooks.fail === "load") throw new Error("no facts yet");
    if (hooks.fail === "statement")
      throw new DrizzleQueryError("select $1", ["mara@example.com"], new Error("connection lost"));
    return hooks.over ? null : { username: String(name) };
  },
  async afterSent() {
    if (hooks.fail === "afterSent") throw new Error("crashed between send and mark");
    hooks.sent += 1;
  },
});
beforeEach(() => Object.assign(hooks, { load: 0, sent: 0, fail: null, over: false }));

const address = () => `${newId("m")}@example.com`;
const queue = (to: string, dedupeKey = newId("once")) =>
  transaction((tx) =>
    queueMail(tx, { event: "welcome", to, locale: "ja", refs: { name: "Mara" }, dedupeKey }),
  );
const rowOf = async (id: string) => (await db.select().from(mails).where(eq(mails.id, id)))[0]!;
const run = (mailId: string) => sendMailJob.run({ mailId });
const jobsOf = async (mailId: string) => [
  ...(await db.execute<{ max_attempts: number }>(
    sql`select max_attempts from graphile_worker.jobs where key = ${mailId} and task_identifier = 'send-mail'`,
  )),
];
const fileBytes = () =>
  readdirSync(path.join(folder, "mailbox")).map((name) =>
    readFileSync(path.join(folder, "mailbox", name), "utf8"),
  );

describe("queueing", () => {
  it("writes the mail and its job together", async () => {
    const id = (await queue(address()))!;
    expect(await rowOf(id)).toMatchObject({ event: "welcome", state: "queued", locale: "ja", attempts: 0 });
    expect(await jobsOf(id)).toHaveLength(1);
  });

  it("leaves neither behind when the transaction fails", async () => {
    let id: string | null = null;
    const failed = transaction(async (tx) => {
      id = await queueMail(tx, {
        event: "welcome",
        to: address(),
        locale: "en",
        refs: {},
        dedupeKey: newId("once"),
      });
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    expect(await db.select().from(mails).where(eq(mails.id, id!))).toEqual([]);
    expect(await jobsOf(id!)).toEqual([]);
  });

  it("gives one occasion one mail, also when asked for at the same time", async () => {
    const to = address();
    const key = newId("once");
    const ids = await Promise.all(Array.from({ length: 10 }, () => queue(to, key)));
    expect(ids.filter(Boolean)).toHaveLength(1);
  });
});

describe("sending", () => {
  it("sends, marks, and calls what follows, once", async () => {
    const to = address();
    const id = (await queue(to))!;
    await run(id);
    await run(id);
    expect(hooks).toMatchObject({ load: 1, sent: 1 });
    const row = await rowOf(id);
    expect([row.state, row.sentAt instanceof Date]).toEqual(["sent", true]);
    const [mail, ...more] = (await findMailboxMails(to))!;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      id,
      to,
      event: "welcome",
      locale: "ja",
      headers: { "Content-Language": "ja" },
    });
    expect(mail!.text).toContain("Maraさん");
  });

  it("leaves one and the same file after a crash between sending and marking", async () => {
    const to = address();
    const id = (await queue(to))!;
    hooks.fail = "afterSent";
    await expect(run(id)).rejects.toThrow("crashed");
    expect((await rowOf(id)).state).toBe("queued");
    const before = fileBytes();
    hooks.fail = null;
    await run(id);
    expect(fileBytes()).toEqual(before);
    expect((await rowOf(id)).state).toBe("sent");
    expect(hooks.sent).toBe(1);
    expect(await findMailboxMails(to)).toHaveLength(1);
  });

  it("does what follows once when two workers have the same mail", async () => {
    const to = address();
    const id = (await queue(to))!;
    await Promise.all([run(id), run(id), run(id)]);
    expect(hooks.sent).toBe(1);
    expect(await findMailboxMails(to)).toHaveLength(1);
  });

  it("is tried again until the last attempt, then given up for good", async () => {
    const id = (await queue(address()))!;
    hooks.fail = "load";
    for (let attempt = 1; attempt < MAIL_ATTEMPTS; attempt += 1)
      await expect(run(id)).rejects.toThrow("no facts");
    expect(await rowOf(id)).toMatchObject({ state: "queued", attempts: MAIL_ATTEMPTS - 1 });
    await run(id);
    expect(await rowOf(id)).toMatchObject({
      state: "failed",
      attempts: MAIL_ATTEMPTS,
      lastError: "Error: no facts yet",
    });
    expect((await jobsOf(id))[0]!.max_attempts).toBeGreaterThan(MAIL_ATTEMPTS);
  });

  it("keeps of a failed statement why it failed, not its values", async () => {
    const id = (await queue(address()))!;
    hooks.fail = "statement";
    await expect(run(id)).rejects.toThrow();
    expect((await rowOf(id)).lastError).toBe("Error: connection lost");
  });

  it("does not try again what can never be sent, or need not be", async () => {
    const refused = (await queue("a@example.com\r\nBcc: b@example.com"))!;
    await run(refused);
    expect(await rowOf(refused)).toMatchObject({ state: "failed", attempts: 1 });
    const over = (await queue(address()))!;
    hooks.over = true;
    await run(over);
    expect(await rowOf(over)).toMatchObject({
      state: "dropped",
      attempts: 1,
      lastError: "ObsoleteMailError: the email is no longer needed",
    });
  });

  it("knows nothing of a mail that is gone", async () => {
    await expect(run("mail_unknown")).resolves.toBeUndefined();
  });
});

describe("the sweep", () => {
  const loseJob = (id: string) =>
    db.execute(
      sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key = ${id}))`,
    );
  const age = (id: string, interval: string) =>
    db.execute(sql`update mails set created_at = shop_now() - ${interval}::interval where id = ${id}`);

  it("gives a mail whose job is gone a new one, once it is five minutes old", async () => {
    const to = address();
    const id = (await queue(to))!;
    await loseJob(id);
    await sweepMailsJob.run(undefined);
    expect(await jobsOf(id)).toEqual([]);
    await age(id, "6 minutes");
    await sweepMailsJob.run(undefined);
    await sweepMailsJob.run(undefined);
    expect(await jobsOf(id)).toHaveLength(1);
    await run(id);
    expect(await findMailboxMails(to)).toHaveLength(1);
  });

  it("gives one to a mail whose job was given up by the queue, and none to what is sent", async () => {
    const givenUp = (await queue(address()))!;
    const sent = (await queue(address()))!;
    await run(sent);
    await loseJob(sent);
    await db.execute(sql`select graphile_worker.permanently_fail_jobs(
      array(select id from graphile_worker.jobs where key = ${givenUp}))`);
    for (const id of [givenUp, sent]) await age(id, "6 minutes");
    await sweepMailsJob.run(undefined);
    const [job] = await db.execute(sql`select attempts from graphile_worker.jobs where key = ${givenUp}`);
    expect(job).toEqual({ attempts: 0 });
    expect(await jobsOf(sent)).toEqual([]);
  });

  it("leaves a job that pauses between two attempts its time", async () => {
    const id = (await queue(address()))!;
    await age(id, "1 hour");
    await db.execute(sql`select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where key = ${id}), run_at => now() + interval '1 hour', attempts => 3)`);
    await sweepMailsJob.run(undefined);
    const [job] = await db.execute(
      sql`select attempts, run_at > now() + interval '50 minutes' as later from graphile_worker.jobs where key = ${id}`,
    );
    expect(job).toEqual({ attempts: 3, later: true });
  });

  it("tries at once what an outage has kept, when mail goes out again, and not what fails by itself", async () => {
    const waits = async (id: string) => {
      const [job] = await db.execute<{ later: boolean }>(
        sql`select run_at > now() as later from graphile_worker.jobs where key = ${id}`,
      );
      return job!.later;
    };
    /** Failed at this time, and put off by an hour, as the queue does. */
    const fail = async (ago: string) => {
      const id = (await queue(address()))!;
      hooks.fail = "load";
      await expect(run(id)).rejects.toThrow("no facts");
      hooks.fail = null;
      await db.execute(sql`update mails set failed_at = shop_now() - ${ago}::interval where id = ${id}`);
      await db.execute(sql`select graphile_worker.reschedule_jobs(
        array(select id from graphile_worker.jobs where key = ${id}), run_at => now() + interval '1 hour')`);
      return id;
    };
    await db.execute(
      sql`update mails set sent_at = shop_now() - interval '1 hour' where sent_at is not null`,
    );
    const kept = await fail("1 minute");
    await sweepMailsJob.run(undefined);
    expect(await waits(kept)).toBe(true);
    await run((await queue(address()))!); // mail goes out again
    const own = await fail("0 seconds");
    await sweepMailsJob.run(undefined);
    expect([await waits(kept), await waits(own)]).toEqual([false, true]);
    await run((await queue(address()))!);
    await sweepMailsJob.run(undefined);
    expect(await waits(own)).toBe(true);
  });
});
