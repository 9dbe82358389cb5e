import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ShareTexts } from "@/lib/platform/images/share-card";
import { log } from "@/lib/platform/log";
import type { PdfBlock } from "@/lib/platform/pdf";

/**
 * Pictures are decoded and drawn, and documents written, in their own processes (scripts/drawing/picture-process.mjs,
 * scripts/drawing/document-process.mjs): a small file can ask for hours of work and gigabytes, and a process ends at a
 * deadline and at a limit of memory, which a thread does not. They block no thread of the shop, and do not compete with
 * password hashing.
 */
type PictureJob =
  | { job: "check" | "size" }
  | { job: "redraw"; side: number; minimumSide: number }
  | { job: "square" | "figure"; width: number; format: string }
  | { job: "share"; svg: string; side: number; left: number; top: number };

export type DocumentJob =
  | {
      job: "pdf";
      blocks: readonly PdfBlock[];
      info: { title: string; author: string; createdAt: string };
      locale: Locale;
    }
  | { job: "card"; texts: ShareTexts; locale: Locale };

type Job = PictureJob | DocumentJob;

type Answer = {
  error?: PictureError;
  what?: string;
  /** What went wrong in the process, through no fault of what it drew. */
  failure?: string;
  damagedFonts?: { font: string; message: string }[];
  mime?: string;
  width?: number;
  height?: number;
  /** What was drawn; empty where there is nothing. */
  bytes: Buffer;
};

type PictureError = "unknown" | "type" | "broken" | "pixels" | "small" | "vector" | "complex";

/** A picture that is refused: `what` names the part of a drawing that the shop does not draw. */
export class RefusedPicture extends Error {
  constructor(
    readonly error: PictureError,
    readonly what = "",
  ) {
    super(error);
  }
}

/** Kilobytes of addresses (Node alone reserves 1.4 GB of them) and of data, on Linux; 40 million pixels fit. */
const ADDRESS_KILOBYTES = 3 * 1024 * 1024;
const DATA_KILOBYTES = 1024 * 1024;
/** Of the drawing itself. With the time to wait for a turn and for a process to start, less than the deadline of a request. */
const DEADLINE_MS = 20_000;
/** A drawing that got less than this share of its time from a busy processor is not too much: one of an import goes on. */
const STARVED_SHARE = 1 / 4;
const WAIT_MS = 20_000;
/** Until a process is ready, with the wait for a turn. */
const START_MS = 35_000;
/** For what waits however long it takes. */
const PATIENT_START_MS = 10 * 60_000;
/** A process without work ends, and one that has grown is replaced. */
const IDLE_MS = 20_000;
const GROWN_BYTES = 400 * 1024 * 1024;
const MAX_JOBS = 500;
const MAX_NICE = 19;

type LaneOptions = {
  script: "picture-process" | "document-process";
  /** Told when too many wait. */
  busy: "pictures_busy" | "documents_busy";
  processes: number;
  waiting: number;
  priority: number;
  deadlineMs?: number;
  startMs?: number;
  dataKilobytes?: number;
};
type DrawOptions = {
  /** Waits however long it takes, such as the next picture of an import. */
  patient?: boolean;
};
/** Until when a process must be ready, and whether the drawing waits for a busy processor. */
type Patience = { startMs: number; isPatient: boolean };
type Drawn = Omit<Answer, "error" | "what" | "failure" | "damagedFonts">;

/**
 * What people upload waits for what people upload, never for the pictures of pages. It has a lower priority than the shop
 * (five steps of nice, a third of the share of others on a busy processor): sign-ins and orders compute first.
 */
const LANES = {
  uploads: { script: "picture-process", busy: "pictures_busy", processes: 2, waiting: 8, priority: 5 },
  pages: { script: "picture-process", busy: "pictures_busy", processes: 2, waiting: 200, priority: 0 },
  documents: { script: "document-process", busy: "documents_busy", processes: 1, waiting: 50, priority: 0 },
} satisfies Record<string, LaneOptions>;
type LaneJobs = { uploads: PictureJob; pages: PictureJob; documents: DocumentJob };

/** Draws in the lane. @throws RefusedPicture; ShopError pictures_busy or documents_busy when too many wait */
export function drawInProcess<Name extends keyof LaneJobs>(
  lane: Name,
  job: LaneJobs[Name],
  bytes: Buffer = Buffer.alloc(0),
  options?: DrawOptions,
): Promise<Drawn> {
  globals.passlaneLanes ??= {};
  globals.passlaneLanes[lane] ??= new Lane(LANES[lane]);
  return globals.passlaneLanes[lane].draw(job, bytes, options);
}

/** Starts the script; a shell sets the limits and becomes the process. */
function start({ script, priority, dataKilobytes = DATA_KILOBYTES }: LaneOptions): ChildProcess {
  // The bundler does not take the path for a module: the release has the file beside its entries.
  const path = join(/* turbopackIgnore: true */ process.cwd(), "scripts/drawing", `${script}.mjs`);
  // WebAssembly would reserve 8 GB of addresses for its traps.
  const command = [process.execPath, "--disable-wasm-trap-handler", "--max-old-space-size=128", path];
  const limits = [
    `ulimit -v ${ADDRESS_KILOBYTES}`,
    `ulimit -d ${dataKilobytes}`,
    // Where a container has too little memory for both, this process ends and not the shop.
    "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null",
    'exec "$0" "$@"',
  ];
  const [program = "", ...args] =
    process.platform === "linux" ? ["/bin/sh", "-c", limits.join("; "), ...command] : command;
  const child = spawn(/* turbopackIgnore: true */ program, args, {
    stdio: ["pipe", "pipe", "ignore"],
    // No secrets of the shop.
    env: { NODE_ENV: "production", UV_THREADPOOL_SIZE: "2", MALLOC_ARENA_MAX: "2" },
  });
  try {
    // Relative to the shop, which may itself run at a lowered priority: an absolute one would starve.
    if (child.pid) setPriority(child.pid, Math.min(MAX_NICE, getPriority() + priority));
  } catch {
    // It has ended already, which its jobs notice.
  }
  return child;
}

/** A process that did not get ready, or got almost no time of a busy processor. */
class BusyError extends Error {}

/** The processor time of a process in milliseconds; undefined when the system does not report it. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    // Fields 14 and 15, in hundredths of a second; the second field is a name in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}

class Drawer {
  private readonly child: ChildProcess;
  private chunks: Buffer[] = [];
  private received = 0;
  private needed = 4;
  private settle: ((answer: Answer | undefined) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;
  private jobs = 0;
  private readonly ready: Promise<boolean>;
  isUsable = true;

  constructor(private readonly options: LaneOptions) {
    this.child = start(options);
    const { stdin, stdout } = this.child;
    stdout?.on("data", (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.received += chunk.length;
      this.readAnswer();
    });
    // It ended while reading; its exit event has the reason.
    stdin?.on("error", () => {});
    this.child.on("error", (error) => this.end(error));
    // Limits of memory end it by a signal.
    this.child.on("exit", (code) =>
      this.end(code === null ? undefined : new Error(`${options.script} exited with ${code}`)),
    );
    // The first answer says that the process is ready.
    this.ready = this.nextAnswer().then((answer) => answer !== undefined);
    this.hold(false);
  }

  /** Undefined when a limit ended the process. @throws BusyError */
  async draw(job: Job, bytes: Buffer, { startMs, isPatient }: Patience): Promise<Answer | undefined> {
    const { deadlineMs = DEADLINE_MS } = this.options;
    this.hold(true);
    let timer = setTimeout(() => this.end(), startMs);
    try {
      if (!(await this.ready)) throw new BusyError();
      clearTimeout(timer);
      // Starting takes seconds on a busy machine and does not count as rendering time.
      const { pid } = this.child;
      const usedBefore = processorMs(pid) ?? 0;
      let isStarved = false;
      const checkProgress = () => {
        const used = processorMs(pid);
        isStarved = used !== undefined && used - usedBefore < STARVED_SHARE * deadlineMs;
        if (isStarved && isPatient) timer = setTimeout(checkProgress, deadlineMs);
        else this.end();
      };
      timer = setTimeout(checkProgress, deadlineMs);
      const answer = this.nextAnswer();
      const header = Buffer.from(JSON.stringify({ ...job, size: bytes.length }));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(header.length);
      this.child.stdin?.write(Buffer.concat([length, header]));
      this.child.stdin?.write(bytes);
      const answered = await answer;
      if (!answered && isStarved) throw new BusyError();
      return answered;
    } finally {
      clearTimeout(timer);
      this.hold(false);
      if (++this.jobs >= MAX_JOBS) this.end();
    }
  }

  private nextAnswer(): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    });
  }

  end(error?: Error): void {
    this.isUsable = false;
    this.child.kill("SIGKILL");
    if (error) this.fail?.(error);
    else this.settle?.(undefined);
  }

  private readAnswer(): void {
    if (this.received < this.needed) return;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    const headerEnd = 4 + all.readUInt32BE(0);
    this.needed = headerEnd;
    if (all.length < headerEnd) return;
    const header = JSON.parse(all.toString("utf8", 4, headerEnd)) as Omit<Answer, "bytes"> & {
      size: number;
      memory: number;
    };
    this.needed = headerEnd + header.size;
    if (all.length < this.needed) return;
    this.chunks = [];
    this.received = 0;
    this.needed = 4;
    this.settle?.({ ...header, bytes: Buffer.from(all.subarray(headerEnd)) });
    if (header.memory > GROWN_BYTES) this.end();
  }

  /** Whether this process of the shop stays for it. */
  private hold(holds: boolean): void {
    const parts = [this.child, this.child.stdin, this.child.stdout] as { ref?(): void; unref?(): void }[];
    for (const part of parts) (holds ? part?.ref : part?.unref)?.call(part);
  }
}

/** A few processes, and what waits for them. */
export class Lane {
  private readonly idle: Drawer[] = [];
  private readonly queue: (() => void)[] = [];
  private working = 0;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LaneOptions) {}

  /** @throws RefusedPicture; ShopError pictures_busy or documents_busy when too many wait, or no process gets ready */
  async draw(job: Job, bytes: Buffer, { patient = false }: DrawOptions = {}): Promise<Drawn> {
    const askedAt = performance.now();
    await this.takeTurn(patient);
    const drawer = this.takeDrawer();
    try {
      const limitMs = patient ? PATIENT_START_MS : (this.options.startMs ?? START_MS);
      const startMs = limitMs - (performance.now() - askedAt);
      const answer = await drawer.draw(job, bytes, { startMs, isPatient: patient });
      if (!answer)
        log.warn({ job: job.job, bytes: bytes.length }, "a picture exceeded the limits of its process");
      for (const { font, message } of answer?.damagedFonts ?? [])
        log.error({ font, err: new Error(message) }, "a font file cannot be read");
      if (answer?.failure) throw new Error(answer.failure);
      if (!answer || answer.error) throw new RefusedPicture(answer?.error ?? "complex", answer?.what);
      return answer;
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      log.warn({ job: job.job }, "a drawing process got no CPU time");
      throw this.busy();
    } finally {
      if (drawer.isUsable) this.idle.push(drawer);
      const next = this.queue.shift();
      if (next) next();
      else this.working--;
      this.endIdleLater();
    }
  }

  private busy = () => new ShopError(this.options.busy, { params: { retryAfterSeconds: 10 } });

  private async takeTurn(isPatient: boolean): Promise<void> {
    if (this.working < this.options.processes) {
      this.working++;
      return;
    }
    if (!isPatient && this.queue.length >= this.options.waiting) throw this.busy();
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        this.queue.splice(this.queue.indexOf(turn), 1);
        reject(this.busy());
      };
      const timer = isPatient ? undefined : setTimeout(giveUp, WAIT_MS);
      this.queue.push(turn);
    });
  }

  private takeDrawer(): Drawer {
    for (let drawer = this.idle.pop(); drawer; drawer = this.idle.pop()) if (drawer.isUsable) return drawer;
    return new Drawer(this.options);
  }

  private endIdleLater(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.endIdle(), IDLE_MS);
    this.idleTimer.unref();
  }

  endIdle(): void {
    for (const drawer of this.idle.splice(0)) drawer.end();
  }
}

const globals = globalThis as typeof globalThis & {
  passlaneLanes?: Partial<Record<keyof typeof LANES, Lane>>;
};
