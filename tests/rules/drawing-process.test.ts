import { execFileSync } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Lane } from "@/lib/platform/drawing-process";
import { needs } from "@/tests/setup/needs";

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">${content}</svg>`);
const SQUARE = svg('<rect width="400" height="300" fill="#36a"/>');
/** Of allowed elements, and minutes of work: millions of dashes. */
const ENDLESS = svg(
  `<circle id="c" r="200" stroke="#000" stroke-dasharray=".01" stroke-linecap="round"/>${'<use href="#c" x="9"/>'.repeat(5_000)}`,
);
const options = {
  script: "picture-process",
  busy: "pictures_busy",
  processes: 2,
  waiting: 8,
  priority: 5,
} as const;
const check = { job: "check" } as const;
const isLinux = process.platform === "linux";

/** The processes of this one that draw. */
function findProcesses(script: string): number[] {
  try {
    const list = execFileSync("pgrep", ["-P", String(process.pid), "-f", `scripts/drawing/${script}.mjs`], {
      encoding: "utf8",
    });
    return list.trim().split("\n").map(Number);
  } catch {
    return [];
  }
}
const others = findProcesses("(picture|document)-process");
const findOwn = (script = "picture-process") => findProcesses(script).filter((pid) => !others.includes(pid));
/** Starts the processes of a lane, so that what ends one later ends its work. */
const warmUp = (lane: Lane, count = 1) =>
  Promise.all(Array.from({ length: count }, () => lane.draw(check, SQUARE)));

const lanes: Lane[] = [];
const createLane = (changes: Partial<ConstructorParameters<typeof Lane>[0]> = {}) => {
  const lane = new Lane({ ...options, ...changes });
  lanes.push(lane);
  return lane;
};
/** The name of the refusal, or "drawn". */
const outcome = (drawing: Promise<unknown>) =>
  drawing.then(
    () => "drawn",
    (error) => error.error ?? error.message,
  );

afterEach(() => {
  vi.useRealTimers();
  for (const lane of lanes.splice(0)) lane.endIdle();
});

describe("a picture rendered in a process", () => {
  it("comes back with its type and size, and a drawing as pixels", async () => {
    const lane = createLane();
    const drawn = await lane.draw(check, SQUARE);
    expect(drawn).toMatchObject({ mime: "image/svg+xml", width: 400, height: 300 });
    expect(await sharp(drawn.bytes).metadata()).toMatchObject({ format: "webp", width: 960, height: 720 });
    const png = await sharp(SQUARE).png().toBuffer();
    expect(await lane.draw(check, png)).toMatchObject({ mime: "image/png", width: 400, height: 300 });
  });

  it("that never finishes is stopped at the deadline with its process, and the next is rendered", async () => {
    // The shop runs at its own priority.
    const own = Math.min(19, getPriority() + 1);
    setPriority(own);
    const lane = createLane({ processes: 1, deadlineMs: 6_000 });
    const started = performance.now();
    const drawing = outcome(lane.draw(check, ENDLESS, { patient: true }));
    const pid = await vi.waitUntil(() => findOwn()[0], { timeout: 5_000 });
    if (isLinux) expect(getPriority(pid)).toBe(Math.min(19, own + 5));
    expect(await drawing).toBe("complex");
    expect(performance.now() - started).toBeGreaterThan(5_900);
    await expect.poll(findOwn).toEqual([]);
    await expect.poll(() => outcome(lane.draw(check, SQUARE)), { timeout: 30_000 }).toBe("drawn");
  });

  it("that kills its process is refused, and the next is rendered", async () => {
    const lane = createLane({ processes: 1 });
    await warmUp(lane);
    const [pid = 0] = findOwn();
    const drawing = outcome(lane.draw(check, ENDLESS));
    process.kill(pid, "SIGSEGV");
    expect(await drawing).toBe("complex");
    expect(await outcome(lane.draw(check, SQUARE))).toBe("drawn");
    expect(findOwn()).not.toContain(pid);
  });

  it("is rendered even when its process takes longer to start than a picture may take", async () => {
    const lane = createLane({ processes: 1, deadlineMs: 5_000 });
    const drawing = outcome(lane.draw(check, SQUARE));
    const pid = await vi.waitUntil(() => findOwn()[0], { timeout: 5_000 });
    process.kill(pid, "SIGSTOP");
    await sleep(5_500);
    process.kill(pid, "SIGCONT");
    expect(await drawing).toBe("drawn");
  });

  it("whose process never gets ready is to be retried later, and the process is stopped", async () => {
    const lane = createLane({ processes: 1, startMs: 1_000 });
    const drawing = outcome(lane.draw(check, SQUARE));
    const pid = await vi.waitUntil(() => findOwn()[0], { timeout: 900, interval: 5 });
    process.kill(pid, "SIGSTOP");
    expect(await drawing).toBe("pictures_busy");
    await expect.poll(findOwn).toEqual([]);
  });

  it(
    "that got no processor time is to be retried later, while one of an import continues",
    needs(isLinux, "Linux"),
    async () => {
      const lane = createLane({ processes: 1, deadlineMs: 3_000 });
      await warmUp(lane);
      const [pid = 0] = findOwn();
      process.kill(pid, "SIGSTOP");
      const patient = outcome(lane.draw(check, SQUARE, { patient: true }));
      await sleep(4_000);
      process.kill(pid, "SIGCONT");
      expect(await patient).toBe("drawn");
      process.kill(pid, "SIGSTOP");
      expect(await outcome(lane.draw(check, SQUARE))).toBe("pictures_busy");
      await expect.poll(findOwn).toEqual([]);
    },
  );

  it("that needs more memory than its process may have is refused", needs(isLinux, "Linux"), async () => {
    const flat = { create: { width: 8000, height: 5000, channels: 3, background: "#36a" } } as const;
    const photo = await sharp(flat).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer();
    const job = { job: "redraw", side: 1920, minimumSide: 240 } as const;
    expect(await outcome(createLane({ dataKilobytes: 300 * 1024 }).draw(job, photo))).toBe("complex");
    // A busy machine may take longer than it takes for an upload.
    expect(await outcome(createLane().draw(job, photo, { patient: true }))).toBe("drawn");
  });

  it("waits while two are rendered, and beyond eight waiting is to be retried later", async () => {
    const lane = createLane();
    await warmUp(lane, 2);
    const endless = [lane.draw(check, ENDLESS), lane.draw(check, ENDLESS)].map(outcome);
    const waiting = Array.from({ length: 8 }, () => outcome(lane.draw(check, SQUARE)));
    await expect(lane.draw(check, SQUARE)).rejects.toMatchObject({
      error: "pictures_busy",
      params: { retryAfterSeconds: 10 },
    });
    const patient = outcome(lane.draw(check, SQUARE, { patient: true }));
    const counts: number[] = [];
    const timer = setInterval(() => counts.push(findOwn().length), 100);
    const pids = await vi.waitUntil(() => (findOwn().length === 2 ? findOwn() : undefined), {
      timeout: 10_000,
    });
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect(await Promise.all(endless)).toEqual(["complex", "complex"]);
    expect(await Promise.all([...waiting, patient])).toEqual(Array(9).fill("drawn"));
    clearInterval(timer);
    expect(Math.max(...counts)).toBe(2);
  });

  it("that has waited for twenty seconds is to be retried later, while one of an import waits on", async () => {
    const lane = createLane({ processes: 1 });
    await warmUp(lane);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = outcome(lane.draw(check, ENDLESS));
    await vi.advanceTimersByTimeAsync(10);
    const patient = outcome(lane.draw(check, SQUARE, { patient: true }));
    const waiting = outcome(lane.draw(check, SQUARE));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await waiting).toBe("pictures_busy");
    // Its twenty seconds were wall-clock time, not CPU time.
    expect(await first).toBe(isLinux ? "pictures_busy" : "complex");
    expect(await patient).toBe("drawn");
  });

  it("fails as an error of the shop when its process cannot start", async () => {
    vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
    const drawing = await outcome(createLane().draw(check, SQUARE));
    vi.mocked(process.cwd).mockRestore();
    expect(drawing).toBe("picture-process exited with 1");
  });
});

describe("a document written in a process", () => {
  const documents = { script: "document-process", busy: "documents_busy" } as const;
  const info = { title: "Invoice", author: "Passlane", createdAt: new Date(0).toISOString() };
  const write = (text: string) =>
    ({ job: "pdf", blocks: [{ kind: "note", text }], info, locale: "en" }) as const;

  it("is a PDF, and the next one a share image", async () => {
    const lane = createLane({ ...documents, processes: 1 });
    const { bytes } = await lane.draw(write("坂本太郎"), Buffer.alloc(0));
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const texts = { title: "Quillon Draft", line: "Notes become a draft.", brand: "Passlane" };
    const card = await lane.draw({ job: "card", texts, locale: "en" }, Buffer.alloc(0));
    expect(card.bytes.toString()).toMatch(/^<svg width="1200" height="630"/);
    expect(findOwn("document-process")).toHaveLength(1);
  });

  it("that takes too long is stopped with its process, while this process continues", async () => {
    const lane = createLane({ ...documents, processes: 1, deadlineMs: 2_000 });
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const endless = write("word ".repeat(2_000_000));
    expect(await outcome(lane.draw(endless, Buffer.alloc(0), { patient: true }))).toBe("complex");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(50);
    await expect.poll(() => findOwn("document-process")).toEqual([]);
  });
});
