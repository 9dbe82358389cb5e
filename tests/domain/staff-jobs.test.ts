import { userInfo } from "node:os";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { runStaffCommand } from "../setup/staff";

afterAll(closeDatabase);

let queue = "";
let failed: string[] = [];
beforeEach(async () => {
  queue = `job-${newId("q")}`.toLowerCase();
  failed = [];
  for (const error of ["Error (40P01): deadlock detected", "TypeError: x is undefined"]) {
    const [job] = await client()<
      { id: string }[]
    >`select (graphile_worker.add_job(${queue}, max_attempts => 3)).id::text as id`;
    await client()`select graphile_worker.permanently_fail_jobs(array[${job!.id}::bigint], ${error})`;
    failed.push(job!.id);
  }
  await client()`select graphile_worker.add_job(${queue}, run_at => now() - interval '1 hour')`;
  await client()`select graphile_worker.add_job(${queue}, run_at => now() + interval '1 hour')`;
});

// Other files of this database run the queue, and stop at a failed job.
afterEach(async () => {
  await client()`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where task_identifier = ${queue}))`;
});

const auditRows = async (subject: string) => [
  ...(await db.execute<{ actor: string; action: string; detail: object }>(
    sql`select actor, action, detail from audit_entries where subject = ${subject}`,
  )),
];
const counts = async () => {
  const { output } = await runStaffCommand("jobs", "list", "--json");
  const rows = JSON.parse(output) as { queue: string; oldest: string | null }[];
  const { oldest: _, ...row } = rows.find((row) => row.queue === queue)!;
  return row;
};

it("the queues are listed with waiting, active and failed jobs and the oldest", async () => {
  expect(await counts()).toEqual({ queue, waiting: 1, later: 1, active: 0, failed: 2 });
  const { code, output } = await runStaffCommand("jobs", "list");
  expect(code).toBe(0);
  expect(output).toMatch(/^queue +waiting +later +active +failed +oldest due/);
  expect(output).toMatch(new RegExp(`^${queue} +1 +1 +0 +2 +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`, "m"));
});

it("failed jobs are listed with their error", async () => {
  const { output } = await runStaffCommand("jobs", "failed");
  expect(output).toMatch(
    new RegExp(`^${failed[0]} +${queue} +\\d+ +[\\d: -]+ +Error \\(40P01\\): deadlock detected$`, "m"),
  );
});

it("a failed job is retried once, and the audit log says who requested it", async () => {
  const [id = ""] = failed;
  expect(await runStaffCommand("jobs", "retry", id)).toEqual({ code: 0, output: "1 job runs again." });
  expect(await counts()).toMatchObject({ waiting: 2, failed: 1 });
  expect(await runStaffCommand("jobs", "retry", id)).toEqual({
    code: 1,
    output: `!There is no failed job ${id}.`,
  });
  expect(await auditRows(id)).toEqual([
    { actor: `staff:${userInfo().username}`, action: "jobs.retried", detail: { jobs: 1 } },
  ]);
});

it("all failed jobs of a queue are retried, and no others", async () => {
  expect(await runStaffCommand("jobs", "retry", queue)).toEqual({ code: 0, output: "2 jobs run again." });
  expect(await counts()).toMatchObject({ waiting: 3, later: 1, failed: 0 });
  expect((await runStaffCommand("jobs", "retry", queue)).output).toBe(
    `!The queue ${queue} has no failed job.`,
  );
  expect((await runStaffCommand("jobs", "retry")).code).toBe(2);
  expect(await auditRows(queue)).toHaveLength(1);
});
