import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");

const running = new Set();

/**
 * Runs a command in the repository. Resolves with its exit code (128 or more if a signal or the time limit ended it).
 * With `onLine` its output is passed line by line, otherwise it is inherited. With `group` it gets its own process
 * group, and the rest of the group is ended with it.
 */
export function run(
  command,
  args,
  { env = process.env, cwd = root, onLine, limitMinutes, group = false } = {},
) {
  return new Promise((resolvePromise) => {
    const output = onLine ? "pipe" : "inherit";
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", output, output], detached: group });
    const entry = { child, group };
    running.add(entry);
    const stop = () => {
      console.error(`${command} has not ended after ${limitMinutes} minutes, and is stopped.`);
      void end(entry, "SIGTERM");
    };
    const limit = limitMinutes && setTimeout(stop, limitMinutes * 60_000);
    const finish = (code) => {
      clearTimeout(limit);
      running.delete(entry);
      if (group) signal(entry, "SIGKILL");
      resolvePromise(code);
    };
    if (onLine) for (const stream of [child.stdout, child.stderr]) readLines(stream, onLine);
    child.once("error", (error) => {
      console.error(`${command} cannot be started: ${error.message}`);
      finish(127);
    });
    // Not "close", because a remaining child process may hold the pipes open.
    child.once("exit", (code) => setTimeout(() => finish(code ?? 128), onLine ? 50 : 0));
  });
}

/** Ends all running commands. */
export async function endAll() {
  await Promise.all([...running].map((entry) => end(entry, "SIGTERM")));
}

function end(entry, name) {
  return new Promise((resolvePromise) => {
    const killTimer = setTimeout(() => signal(entry, "SIGKILL"), 12_000);
    entry.child.once("exit", () => {
      clearTimeout(killTimer);
      resolvePromise();
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

/** Prints every ten seconds that a step is still running. Returns a function that stops this. */
export function heartbeat(describe) {
  const startedAt = Date.now();
  const timer = setInterval(
    () => console.log(`  … ${describe()}, ${Math.round((Date.now() - startedAt) / 1000)} s`),
    10_000,
  );
  return () => clearInterval(timer);
}

/** The environment without the shop's variables, so that builds and tests do not depend on the machine. */
export function bareEnvironment() {
  const example = join(root, ".env.example");
  const text = existsSync(example) ? readFileSync(example, "utf8") : "";
  const shopVariables = new Set([...text.matchAll(/^#?\s*([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]));
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== "NODE_ENV" && !shopVariables.has(name)),
  );
}

export function bin(name) {
  return join(root, "node_modules", ".bin", name);
}
