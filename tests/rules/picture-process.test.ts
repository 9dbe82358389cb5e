import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import sharp from "sharp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Lane } from "@/lib/platform/images/picture-process";

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">${content}</svg>`);
const SQUARE = svg('<rect width="400" height="300" fill="#36a"/>');
/** Of allowed elements, and minutes of work: millions of dashes. */
const ENDLESS = svg(
  `<circle id="c" r="200" stroke="#000" stroke-dasharray=".01" stroke-linecap="round"/>${'<use href="#c" x="9"/>'.repeat(5_000)}`,
);
const options = { processes: 2, waiting: 8, priority: 5 };
const check = { job: "check" } as const;
const isLinux = process.platform === "linux";

/** The processes of this one that draw. */
function findProcesses(): number[] {
  try {
    const list = execFileSync("pgrep", ["-P", String(process.pid), "-f", "scripts/picture-process.mjs"], {
      encoding: "utf8",
    });
    return list.trim().split("\n").map(Number);
  } catch {
    return [];
  }
}
const others = findProcesses();
const findOwn = () => findProcesses().filter((pid) => !others.includes(pid));

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

describe("A picture drawn in a process", () => {
  it("comes back with its type and size, a drawing as pixels", async () => {
    const lane = createLane();
    const drawn = await lane.draw(check, SQUARE);
    expect(drawn).toMatchObject({ mime: "image/svg+xml", width: 400, height: 300 });
    expect(await sharp(drawn.bytes).metadata()).toMatchObject({ format: "webp", width: 960, height: 720 });
    const png = await sharp(SQUARE).png().toBuffer();
    expect(await lane.draw(check, png)).toMatchObject({ mime: "image/png", width: 400, height: 300 });
  });

  it("that never ends is ended at the deadline, with its process, and the next is drawn", async () => {
    const lane = createLane({ processes: 1, deadlineMs: 6_000 });
    const started = performance.now();
    const drawing = outcome(lane.draw(check, ENDLESS));
    const pid = await vi.waitUntil(() => findOwn()[0], { timeout: 5_000 });
    if (isLinux) expect(getPriority(pid)).toBe(5);
    expect(await drawing).toBe("complex");
    expect(performance.now() - started).toBeGreaterThan(5_900);
    await expect.poll(findOwn).toEqual([]);
    await expect.poll(() => outcome(lane.draw(check, SQUARE)), { timeout: 30_000 }).toBe("drawn");
  });

  it("that kills its process is refused, and the next is drawn", async () => {
    const lane = createLane({ processes: 1 });
    const drawing = outcome(lane.draw(check, ENDLESS));
    const pid = await vi.waitUntil(() => findOwn()[0], { timeout: 5_000 });
    process.kill(pid, "SIGSEGV");
    expect(await drawing).toBe("complex");
    expect(await outcome(lane.draw(check, SQUARE))).toBe("drawn");
    expect(findOwn()).not.toContain(pid);
  });

  it.runIf(isLinux)("that needs more memory than its process may have is refused", async () => {
    const flat = { create: { width: 8000, height: 5000, channels: 3, background: "#36a" } } as const;
    const photo = await sharp(flat).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer();
    const job = { job: "redraw", side: 1920, minimumSide: 240 } as const;
    expect(await outcome(createLane({ dataKilobytes: 300 * 1024 }).draw(job, photo))).toBe("complex");
    expect(await outcome(createLane().draw(job, photo))).toBe("drawn");
  });

  it("waits while two are drawn, and beyond eight more is told to come again", async () => {
    const lane = createLane();
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

  it("that waits for twenty seconds is told to come again; one of an import waits on", async () => {
    const lane = createLane({ processes: 1 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = outcome(lane.draw(check, ENDLESS));
    await vi.advanceTimersByTimeAsync(10);
    const patient = outcome(lane.draw(check, SQUARE, { patient: true }));
    const waiting = outcome(lane.draw(check, SQUARE));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await waiting).toBe("pictures_busy");
    expect(await first).toBe("complex");
    expect(await patient).toBe("drawn");
  });

  it("fails as an error of the shop when its process cannot start", async () => {
    vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
    const drawing = await outcome(createLane().draw(check, SQUARE));
    vi.mocked(process.cwd).mockRestore();
    expect(drawing).toBe("the process that draws pictures exited with 1");
  });
});
