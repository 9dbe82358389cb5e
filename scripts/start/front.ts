import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { frontErrors, writeFrontFiles } from "../write-front-files";
import { portError } from "./ports";
import { type ExitStatus, repositoryRoot } from "./server-process";

const DRAIN_MS = 5_000;

export type Front = {
  process: ChildProcess;
  ended: Promise<ExitStatus>;
  /** Stops nginx after its running responses, within five seconds. */
  stop(): Promise<void>;
};

export type FrontOptions = {
  /** The folder of this front, with its configuration, cache and log. */
  dir: string;
  port: number;
  /** The ports of the shop's instances. */
  shop: number[];
  /** What is served under /_next/static; without it all files come from the shop. */
  staticFolder?: string;
  /** Trusts X-Forwarded-For from this machine: for tests, whose clients have their own addresses. */
  realAddresses?: boolean;
  /** Variables of nginx, which otherwise clears its environment: for tests that move its clock. */
  variables?: Record<string, string>;
};

/** The path of nginx; undefined where it is not installed. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, "nginx"))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes the configuration of a front into its folder: deploy/nginx with its own settings. Returns the path of the
 * configuration file.
 */
export function writeFront({
  dir,
  port,
  shop,
  staticFolder,
  realAddresses,
  variables = {},
}: FrontOptions): string {
  const folder = join(dir, "passlane");
  rmSync(folder, { recursive: true, force: true });
  for (const path of [folder, join(dir, "cache"), join(dir, "temporary")])
    mkdirSync(path, { recursive: true });
  cpSync(join(repositoryRoot, "deploy", "nginx"), folder, { recursive: true });
  writeFrontFiles(join(folder, "errors"), frontErrors());
  const servers = shop.map((each) => `  server 127.0.0.1:${each} max_fails=3 fail_timeout=1s;`);
  const constant = (name: string, value: string) => `map "" $${name} { default ${value}; }`;
  const settings = [
    "upstream shop {",
    ...servers,
    "  keepalive 64;",
    "}",
    `proxy_cache_path "${dir}/cache" levels=1:2 keys_zone=shop:20m max_size=200m inactive=30m use_temp_path=off;`,
    `access_log "${dir}/access.log" passlane buffer=64k flush=1s;`,
    constant("front_folder", `"${folder}"`),
    constant("static_folder", `"${staticFolder ?? `${dir}/no-files`}"`),
    constant("forwarded_scheme", "$scheme"),
    ...(realAddresses
      ? ["set_real_ip_from 127.0.0.1;", "set_real_ip_from ::1;", "real_ip_header X-Forwarded-For;"]
      : []),
  ];
  writeFileSync(join(folder, "settings.conf"), `${settings.join("\n")}\n`);
  writeFileSync(join(folder, "listen.conf"), `listen ${port};\nlisten [::]:${port};\n`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path "${dir}/temporary/${name}";`,
  );
  const main = [
    // As root, nginx would give its workers to a user who may not read this folder.
    ...(process.getuid?.() === 0
      ? [`user root ${execFileSync("id", ["-gn"], { encoding: "utf8" }).trim()};`]
      : []),
    "daemon off;",
    "worker_processes 1;",
    "worker_shutdown_timeout 5s;",
    `pid "${dir}/nginx.pid";`,
    "error_log stderr crit;",
    ...Object.entries(variables).map(([name, value]) => `env ${name}=${value};`),
    "events { worker_connections 2048; }",
    "http {",
    ...temporary,
    "  include passlane/passlane.conf;",
    "}",
  ];
  const path = join(dir, "nginx.conf");
  writeFileSync(path, `${main.join("\n")}\n`);
  return path;
}

/** The errors of `nginx -t` for a configuration; empty when it is accepted. */
export function checkFront(nginx: string, path: string): string {
  const { status, stderr } = spawnSync(nginx, ["-t", "-q", "-c", path, "-e", "stderr"], { encoding: "utf8" });
  return status === 0 ? "" : stderr;
}

/** The path of nginx. @throws Error where it is not installed */
export function requireNginx(): string {
  const nginx = findNginx();
  if (nginx) return nginx;
  throw new Error(
    "nginx is not installed: install it (apt-get install nginx, brew install nginx), or start without --front.",
  );
}

/** Starts nginx in front of the shop. @throws Error where nginx is not installed or refuses its configuration */
export async function startFront(options: FrontOptions): Promise<Front> {
  const nginx = requireNginx();
  const path = writeFront(options);
  const problem = checkFront(nginx, path);
  if (problem) throw new Error(`nginx refuses its configuration ${path}:\n${problem}`);
  const child = spawn(nginx, ["-c", path, "-e", "stderr"], {
    stdio: ["ignore", "inherit", "inherit"],
    env: options.variables && { ...process.env, ...options.variables },
    detached: true, // Ctrl-C reaches the parent alone, which ends nginx after its running answers
  });
  const ended = new Promise<ExitStatus>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: 127, signal: null }));
  });
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  while (!hasEnded && (await portError(options.port)) !== "EADDRINUSE") await sleep(50);
  return {
    process: child,
    ended,
    async stop() {
      child.kill("SIGQUIT");
      await Promise.race([ended, sleep(DRAIN_MS)]);
      child.kill("SIGTERM");
      await ended;
    },
  };
}
