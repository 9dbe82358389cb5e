import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export type Balancer = {
  name: string;
  /** Whether haproxy sends requests to all instances. */
  hasAll?(): Promise<boolean>;
  stop(): Promise<void>;
};
/**
 * `checks` of haproxy. With `slow` ones, as docs/operations.md recommends them, it repeats no request, so that each one that
 * reaches an ended instance is a 503.
 */
type Options = {
  port: number;
  apps: number[];
  dir: string;
  required: boolean;
  checks?: "fast" | "slow";
  /**
   * The instances that are tried for scripts and styles, all by default. If one lacks a file, the next one is tried.
   */
  files?: number[];
};

const CHECKS = {
  fast: { path: "/readyz", server: "inter 250ms fall 2 rise 1", backend: "retries 3\n  option redispatch" },
  slow: { path: "/readyz?stale=ok", server: "inter 5s fall 2 rise 1", backend: "retries 0" },
};

const MISSING =
  "npm run faults needs a load balancer: apt-get install haproxy (or nginx), or HAPROXY=/path/to/haproxy.";

/**
 * haproxy, else nginx, in front of the instances. Without either, `required` (the full run) throws and the short
 * form uses a built-in round-robin proxy.
 */
export async function startBalancer(options: Options): Promise<Balancer> {
  mkdirSync(options.dir, { recursive: true });
  const haproxy = process.env.HAPROXY || "haproxy";
  const version = findVersion(haproxy, "-v");
  if (version) return runBalancer(haproxy, haproxyFile(options), ["-f"], version, options);
  const nginx = findVersion("nginx", "-v");
  if (nginx) return runBalancer("nginx", nginxFile(options), ["-g", "daemon off;", "-c"], nginx, options);
  if (options.required) throw new Error(MISSING);
  return roundRobin(options);
}

/** Whether haproxy is installed. */
export const hasHaproxy = () => findVersion(process.env.HAPROXY || "haproxy", "-v") !== undefined;

function findVersion(command: string, flag: string): string | undefined {
  const result = spawnSync(command, [flag], { encoding: "utf8" });
  if (result.error || result.status !== 0) return undefined;
  return /(HAProxy version [\d.]+|nginx\/[\d.]+)/.exec(result.stdout + result.stderr)?.[1] ?? command;
}

/** Short, because a socket's path has 107 characters at most. */
const stateSocket = (dir: string) => join(tmpdir(), `haproxy-${basename(dir)}-${process.pid}.sock`);

const haproxyFile = ({ port, apps, dir, checks = "fast", files = apps }: Options) => `global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 65s
  timeout server 65s
  timeout check 2s
  ${CHECKS[checks].backend}
frontend passlane
  bind 127.0.0.1:${port}
  use_backend files if { path_beg /_next/static/ }
  default_backend apps
frontend state
  bind unix@${stateSocket(dir)}
  stats enable
  stats uri /state
backend apps
  balance roundrobin
  option forwardfor
  option httpchk GET ${CHECKS[checks].path}
  default-server check ${CHECKS[checks].server}
${apps.map((app, index) => `  server app${index} 127.0.0.1:${app}`).join("\n")}
backend files
  balance roundrobin
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response 404
${files.map((app, index) => `  server file${index} 127.0.0.1:${app}`).join("\n")}
`;

const nginxFile = ({ port, apps, dir, files = apps }: Options) => `worker_processes 1;
pid ${dir}/nginx.pid;
error_log ${dir}/nginx.log;
events { worker_connections 4000; }
http {
  access_log off;
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/f;
  uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  upstream apps { ${upstream(apps)} }
  upstream files { ${upstream(files)} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://apps; proxy_set_header Host $http_host; proxy_read_timeout 65s;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
    location /_next/static/ {
      proxy_pass http://files; proxy_set_header Host $http_host;
      proxy_next_upstream error timeout http_404;
    }
  }
}
`;

const upstream = (ports: number[]) =>
  ports.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;`).join(" ");

async function runBalancer(
  command: string,
  file: string,
  args: string[],
  name: string,
  { dir, port }: Options,
): Promise<Balancer> {
  const path = join(dir, "balancer.conf");
  writeFileSync(path, file);
  const child: ChildProcess = spawn(command, [...args, path], { stdio: ["ignore", "ignore", "pipe"] });
  let errorOutput = "";
  child.stderr?.on("data", (chunk) => (errorOutput = (errorOutput + chunk).slice(-2000)));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  for (let tries = 0; !(await acceptsConnections(port)); tries++) {
    if (tries > 50 || child.exitCode !== null) throw new Error(`${command} does not start: ${errorOutput}`);
    await sleep(100);
  }
  return {
    name,
    hasAll: () => readsAllUp(stateSocket(dir)),
    async stop() {
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(3000).then(() => child.kill("SIGKILL"))]);
      rmSync(stateSocket(dir), { force: true });
    },
  };
}

/** Reads the table of haproxy: the lines of servers name the backend, the server and in column 18 their state. */
const readsAllUp = (socketPath: string) =>
  new Promise<boolean>((done) => {
    request({ socketPath, path: "/state;csv" }, async (response) => {
      const servers = (await text(response)).split("\n").filter((line) => /^apps,app\d/.test(line));
      done(servers.length > 0 && servers.every((line) => line.split(",")[17] === "UP"));
    })
      .on("error", () => done(false))
      .end();
  });

const acceptsConnections = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });

/** Distributes connections round-robin; an unreachable instance is skipped. */
async function roundRobin({ port, apps }: Options): Promise<Balancer> {
  let next = 0;
  const server = createServer((client) => {
    const attempt = (retries: number) => {
      const upstream = connect(apps[next++ % apps.length]!, "127.0.0.1");
      let connected = false;
      upstream.on("connect", () => {
        connected = true;
        client.pipe(upstream);
        upstream.pipe(client);
      });
      upstream.on("error", () => (connected || retries === 0 ? client.destroy() : attempt(retries - 1)));
      client.on("close", () => upstream.destroy());
      upstream.on("close", () => connected && client.destroy());
    };
    client.on("error", () => client.destroy());
    attempt(apps.length - 1);
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    name: "built-in round-robin proxy",
    async stop() {
      server.close();
    },
  };
}
