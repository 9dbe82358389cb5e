import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { join } from "node:path";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

/**
 * Pictures are decoded and drawn in processes of their own (scripts/picture-process.mjs), because a small file can ask for
 * hours of work and gigabytes: a process ends at a deadline and at a limit of memory, a thread does not. They also share no
 * threads with the hashing of passwords.
 */
type Job =
  | { job: "check" | "size" }
  | { job: "redraw"; side: number; minimumSide: number }
  | { job: "square" | "figure"; width: number; format: string }
  | { job: "share"; svg: string; side: number; left: number; top: number };

type Answer = {
  error?: PictureError;
  what?: string;
  mime?: string;
  width?: number;
  height?: number;
  /** The drawn picture; empty where there is none. */
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
/** With the time that a picture may wait, less than the deadline of a request. */
const DEADLINE_MS = 20_000;
const WAIT_MS = 20_000;
/** A process without work ends, and one that has grown is replaced. */
const IDLE_MS = 20_000;
const GROWN_BYTES = 400 * 1024 * 1024;
const MAX_JOBS = 500;

type LaneOptions = {
  processes: number;
  waiting: number;
  priority: number;
  deadlineMs?: number;
  dataKilobytes?: number;
};
type DrawOptions = {
  /** Waits however long it takes, such as the next picture of an import. */
  patient?: boolean;
};
type Drawn = Omit<Answer, "error" | "what">;

/**
 * What people upload waits for what people upload, never for the pictures of pages. It has a lower priority (nice 5, a third
 * of the share of others on a busy processor): sign-ins and orders compute first.
 */
const LANES = {
  uploads: { processes: 2, waiting: 8, priority: 5 },
  pages: { processes: 2, waiting: 200, priority: 0 },
} satisfies Record<string, LaneOptions>;

/** Draws in the lane. @throws RefusedPicture; ShopError pictures_busy when too many wait */
export function drawInProcess(
  lane: keyof typeof LANES,
  job: Job,
  bytes: Buffer,
  options?: DrawOptions,
): Promise<Drawn> {
  globals.passlanePictures ??= { uploads: new Lane(LANES.uploads), pages: new Lane(LANES.pages) };
  return globals.passlanePictures[lane].draw(job, bytes, options);
}

/** Starts the script; a shell sets the limits and becomes the process. */
function start({ priority, dataKilobytes = DATA_KILOBYTES }: LaneOptions): ChildProcess {
  // The path is no module for the bundler: the release has the file beside its entries.
  const script = join(/* turbopackIgnore: true */ process.cwd(), "scripts/picture-process.mjs");
  const command = [process.execPath, "--max-old-space-size=128", script];
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
    if (child.pid) setPriority(child.pid, priority);
  } catch {
    // It has ended already, which its jobs notice.
  }
  return child;
}

class Drawer {
  private readonly child: ChildProcess;
  private chunks: Buffer[] = [];
  private received = 0;
  private needed = 4;
  private settle: ((answer: Answer | undefined) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;
  private jobs = 0;
  isUsable = true;

  constructor(private readonly options: LaneOptions) {
    this.child = start(options);
    const { stdin, stdout } = this.child;
    stdout?.on("data", (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.received += chunk.length;
      this.readAnswer();
    });
    // It ends while it reads; the exit tells why.
    stdin?.on("error", () => {});
    this.child.on("error", (error) => this.end(error));
    // Limits of memory end it by a signal.
    this.child.on("exit", (code) =>
      this.end(code === null ? undefined : new Error(`the process that draws pictures exited with ${code}`)),
    );
    this.hold(false);
  }

  /** Undefined when a limit ended the process. */
  async draw(job: Job, bytes: Buffer): Promise<Answer | undefined> {
    this.hold(true);
    const deadline = setTimeout(() => this.end(), this.options.deadlineMs ?? DEADLINE_MS);
    try {
      return await new Promise<Answer | undefined>((resolve, reject) => {
        this.settle = resolve;
        this.fail = reject;
        const header = Buffer.from(JSON.stringify({ ...job, size: bytes.length }));
        const length = Buffer.alloc(4);
        length.writeUInt32BE(header.length);
        this.child.stdin?.write(Buffer.concat([length, header]));
        this.child.stdin?.write(bytes);
      });
    } finally {
      clearTimeout(deadline);
      this.hold(false);
      if (++this.jobs >= MAX_JOBS) this.end();
    }
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

  /** @throws RefusedPicture; ShopError pictures_busy when too many wait */
  async draw(job: Job, bytes: Buffer, { patient = false }: DrawOptions = {}): Promise<Drawn> {
    await this.takeTurn(patient);
    const drawer = this.takeDrawer();
    try {
      const answer = await drawer.draw(job, bytes);
      if (!answer) log.warn({ job: job.job, bytes: bytes.length }, "a picture was too much for its process");
      if (!answer || answer.error) throw new RefusedPicture(answer?.error ?? "complex", answer?.what);
      return answer;
    } finally {
      if (drawer.isUsable) this.idle.push(drawer);
      const next = this.queue.shift();
      if (next) next();
      else this.working--;
      this.endIdleLater();
    }
  }

  private async takeTurn(isPatient: boolean): Promise<void> {
    if (this.working < this.options.processes) {
      this.working++;
      return;
    }
    const busy = () => new ShopError("pictures_busy", { params: { retryAfterSeconds: 10 } });
    if (!isPatient && this.queue.length >= this.options.waiting) throw busy();
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        this.queue.splice(this.queue.indexOf(turn), 1);
        reject(busy());
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
  passlanePictures?: Record<keyof typeof LANES, Lane>;
};
