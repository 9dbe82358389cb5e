import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(import.meta.url), "../..");

const running = new Set();

/**
 * Runs a command in the tree; resolves to its exit code (128 or more when a signal or the time limit ended it).
 * With `onLine` its output comes line by line, otherwise it goes straight through. With `group` it gets a process
 * group of its own, and whatever is left of that group is ended with it.
 */
export function run(
  command,
  args,
  { env = process.env, cwd = root, onLine, limitMinutes, group = false } = {},
) {
  return new Promise((done) => {
    const output = onLine ? "pipe" : "inherit";
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", output, output], detached: group });
    const entry = { child, group };
    running.add(entry);
    const limit = limitMinutes && setTimeout(() => end(entry, "SIGTERM"), limitMinutes * 60_000);
    const finish = (code) => {
      clearTimeout(limit);
      running.delete(entry);
      if (group) signal(entry, "SIGKILL");
      done(code);
    };
    if (onLine) for (const stream of [child.stdout, child.stderr]) readLines(stream, onLine);
    child.once("error", (error) => {
      console.error(`${command} cannot be started: ${error.message}`);
      finish(127);
    });
    // Not "close": a process left behind may hold the pipes open.
    child.once("exit", (code) => setTimeout(() => finish(code ?? 128), onLine ? 50 : 0));
  });
}

/** Ends everything that `run` has under way. */
export async function endAll() {
  await Promise.all([...running].map((entry) => end(entry, "SIGTERM")));
}

function end(entry, name) {
  return new Promise((done) => {
    const hard = setTimeout(() => signal(entry, "SIGKILL"), 12_000);
    entry.child.once("exit", () => {
      clearTimeout(hard);
      done();
    });
    signal(entry, name);
  });
}

function signal({ child, group }, name) {
  try {
    if (group) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It has already ended.
  }
}

function readLines(stream, onLine) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => rest && onLine(rest));
}

/** Says every ten seconds that a long step is still going on; returns the function that ends this. */
export function heartbeat(what) {
  const begun = Date.now();
  const timer = setInterval(
    () => console.log(`  … ${what()}, ${Math.round((Date.now() - begun) / 1000)} s`),
    10_000,
  );
  return () => clearInterval(timer);
}

/** The environment without the shop's own variables: a build and a test must not depend on a machine's settings. */
export function bareEnvironment() {
  const example = join(root, ".env.example");
  const text = existsSync(example) ? readFileSync(example, "utf8") : "";
  const ours = new Set([...text.matchAll(/^#?\s*([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]));
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== "NODE_ENV" && !ours.has(name)),
  );
}

export function bin(name) {
  return join(root, "node_modules", ".bin", name);
}
