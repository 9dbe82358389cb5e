import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openAppendLog, readAppendLog } from "@/lib/platform/append-log";
import { openBucket, optionalReads } from "@/lib/platform/bucket";
import { parseEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { testEnvironment } from "../setup/environment";
import { S3Server } from "../setup/s3-server";

const server = new S3Server();
let folder: string;

beforeAll(async () => {
  Object.assign(
    process.env,
    testEnvironment,
    { DATABASE_URL: "postgres://localhost/none" },
    await server.start(),
  );
  folder = await mkdtemp(join(tmpdir(), "bucket-"));
});
beforeEach(() => {
  server.objects.clear();
  server.failure = undefined;
  server.delayMs = 0;
  server.together = 0;
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("a bucket", () => {
  it("stores, reads, lists page by page and removes objects of its folder, each request signed with its body's hash", async () => {
    const bucket = openBucket("shop/some/folder");
    const names = ["a.txt", "b c+d.txt", "deep/é(1)*.txt", "e.txt", "f.txt"];
    for (const name of names) await bucket.put(name, Buffer.from(`content of ${name}`));
    await openBucket("shop/other").put("z.txt", Buffer.from("z"));
    expect((await bucket.get("deep/é(1)*.txt"))?.toString()).toBe("content of deep/é(1)*.txt");
    expect(await bucket.get("none")).toBeUndefined();
    const listed = await collect(bucket.list());
    expect(listed.map(({ key }) => key)).toEqual(names);
    expect(listed[0]).toMatchObject({ bytes: 16 });
    expect(Math.abs(Date.now() - listed[0]!.modifiedAt.getTime())).toBeLessThan(60_000);
    expect((await collect(bucket.list("deep/"))).map(({ key }) => key)).toEqual(["deep/é(1)*.txt"]);
    await bucket.delete("a.txt");
    await bucket.delete("a.txt");
    expect(await bucket.get("a.txt")).toBeUndefined();
    expect([...server.objects.keys()]).toContain("shop/some/folder/b c+d.txt");
  });

  it("fails with a sentence that names no secret when the store refuses the key or is down", async () => {
    const other = { ...process.env, S3_SECRET_ACCESS_KEY: "wrong" };
    expect(parseEnv(other).S3_SECRET_ACCESS_KEY).toBe("wrong");
    server.failure = 403;
    await expect(openBucket("shop").put("a", Buffer.from("a"))).rejects.toThrow(
      "the store answers 403 to PUT a",
    );
    await expect(openBucket("shop").get("a")).rejects.toThrow("403");
    await expect(collect(openBucket("shop").list())).rejects.toThrow(
      "the store answers 403 to a list of shop",
    );
  });
});

describe("an append log", () => {
  const places = () => [{ folder: join(folder, "log") }, { bucket: "shop/log" }] as const;

  it("contains every line of concurrent writers once, in order, in a folder and in a bucket", async () => {
    for (const place of places()) {
      const logs = [openAppendLog(place), openAppendLog(place)];
      await Promise.all(
        Array.from({ length: 40 }, (_, i) => logs[i % 2]!.append([{ value: i }, { value: i + 1000 }])),
      );
      for (const log of logs) await log.close();
      const { values, files, gaps } = await readAppendLog(place);
      expect(gaps).toEqual([]);
      expect(files).toBeGreaterThanOrEqual(2);
      const numbers = values.map((entry) => (entry as { value: number }).value);
      expect(numbers.sort((a, b) => a - b)).toEqual(
        Array.from({ length: 40 }, (_, i) => [i, i + 1000])
          .flat()
          .sort((a, b) => a - b),
      );
    }
  });

  it("rejects a line that may not be durable, and continues in a new file", async () => {
    server.failure = 400;
    const log = openAppendLog({ bucket: "shop/failing" });
    await expect(log.append([{ value: 1 }])).rejects.toThrow("400");
    server.failure = undefined;
    await log.append([{ value: 2 }]);
    const blocked = join(folder, "blocked");
    await writeFile(blocked, "no folder");
    const local = openAppendLog({ folder: blocked });
    await expect(local.append([{ value: 1 }])).rejects.toThrow(/EEXIST|ENOTDIR/);
    await rm(blocked);
    await local.append([{ value: 2 }]);
    await local.close();
    for (const place of [{ bucket: "shop/failing" }, { folder: blocked }])
      expect(await readAppendLog(place)).toMatchObject({ values: [{ n: 1, value: 2 }], gaps: [] });
  });

  it("shows lost lines as gaps, and ignores a line that was cut off while it was written", async () => {
    const place = { folder: join(folder, "gaps") };
    const log = openAppendLog(place);
    for (const value of [1, 2, 3]) await log.append([{ value }]);
    await log.close();
    const [name] = await readdir(place.folder);
    const path = join(place.folder, name!);
    const whole = await readFile(path, "utf8");
    await writeFile(path, `${whole}{"n":4,"val`);
    expect(await readAppendLog(place)).toMatchObject({ values: [{}, {}, {}], gaps: [] });
    await writeFile(path, whole.split("\n").toSpliced(1, 1).join("\n"));
    expect((await readAppendLog(place)).gaps).toEqual([`${name} after line 1`]);
    await rm(place.folder, { recursive: true });
    await expect(readAppendLog(place)).rejects.toThrow("ENOENT");
  });
});

describe("an append log of years", () => {
  const write = (name: string, lines: number, first = 1) =>
    server.objects.set(`shop/years/${name}.${String(first).padStart(9, "0")}.jsonl`, {
      body: Buffer.from(
        Array.from({ length: lines }, (_, i) => `${JSON.stringify({ n: first + i, value: name })}\n`).join(
          "",
        ),
      ),
      modifiedAt: new Date(),
    });

  it("is read from a given time on without the objects of older writers, many in parallel", async () => {
    for (let day = 1; day <= 28; day++)
      for (let i = 0; i < 20; i++) write(`202610${String(day).padStart(2, "0")}T0900${i + 10}-host-1-aa`, 2);
    for (let i = 0; i < 40; i++) write("20261103T000500-host-1-bb", 1, i + 1);
    write("20261104T120000-host-1-cc", 3);
    server.objects.set("shop/years/audit-heads.jsonl", { body: Buffer.from("{}"), modifiedAt: new Date() });
    server.delayMs = 5;
    server.together = 9;
    const before = server.requests;
    const { values, files, olderFiles, gaps } = await readAppendLog(
      { bucket: "shop/years" },
      new Date("2026-11-04T00:30:00Z"),
    );
    expect([values.length, files, olderFiles, gaps]).toEqual([43, 41, 560, []]);
    const lists = Math.ceil(server.objects.size / 3); // the store's pages are small
    expect(server.requests - before).toBe(lists + 41);
    expect(server.mostAtOnce).toBeGreaterThan(8);
    expect(server.mostAtOnce).toBeLessThanOrEqual(16);
  });

  it("contains the later lines of a writer that started the day before", async () => {
    write("20261103T000000-host-1-aa", 2);
    write("20261102T225900-host-1-aa", 2);
    const { files, olderFiles } = await readAppendLog(
      { bucket: "shop/years" },
      new Date("2026-11-04T00:00:00Z"),
    );
    expect([files, olderFiles]).toEqual([1, 1]);
  });
});

describe("optional reads of a bucket", () => {
  it("are retried after ten seconds, and a failure is logged again after a minute", async () => {
    let now = 0;
    const read = optionalReads("shop", { now: () => now });
    const errors = vi.spyOn(log, "error").mockImplementation(() => {});
    const fail = vi.fn(() => Promise.reject(new Error("refused")));
    for (const at of [0, 5_000, 10_000, 20_000, 61_000]) {
      now = at;
      expect(await read(fail)).toBeUndefined();
    }
    expect([fail.mock.calls.length, errors.mock.calls.length]).toEqual([4, 2]);
    now = 80_000;
    expect(await read(async () => "there")).toBe("there");
    errors.mockRestore();
  });
});
