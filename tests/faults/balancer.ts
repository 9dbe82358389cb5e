import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type Balancer = { name: string; stop(): Promise<void> };
type Options = { port: number; apps: number[]; dir: string; real: boolean };

const MISSING =
  "npm run faults needs a load balancer: apt-get install haproxy (or nginx), or HAPROXY=/path/to/haproxy.";

/**
 * haproxy, else nginx, in front of the instances. Without either the short form uses a round-robin proxy of its own; the
 * full run (`real`) fails and names what is missing.
 */
export async function startBalancer(options: Options): Promise<Balancer> {
  mkdirSync(options.dir, { recursive: true });
  const haproxy = process.env.HAPROXY || "haproxy";
  const version = versionOf(haproxy, "-v");
  if (version) return run(haproxy, haproxyFile(options), ["-f"], version, options);
  const nginx = versionOf("nginx", "-v");
  if (nginx) return run("nginx", nginxFile(options), ["-g", "daemon off;", "-c"], nginx, options);
  if (options.real) throw new Error(MISSING);
  return roundRobin(options);
}

function versionOf(command: string, flag: string): string | undefined {
  const response = spawnSync(command, [flag], { encoding: "utf8" });
  if (response.error || response.status !== 0) return undefined;
  return /(HAProxy version [\d.]+|nginx\/[\d.]+)/.exec(response.stdout + response.stderr)?.[1] ?? command;
}

const haproxyFile = ({ port, apps }: Options) => `global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 65s
  timeout server 65s
  retries 3
  option redispatch
frontend shop
  bind 127.0.0.1:${port}
  default_backend apps
backend apps
  balance roundrobin
  option forwardfor
  option httpchk GET /readyz
  default-server check inter 250ms fall 2 rise 1
${apps.map((app, at) => `  server app${at} 127.0.0.1:${app}`).join("\n")}
`;

const nginxFile = ({ port, apps, dir }: Options) => `worker_processes 1;
pid ${dir}/nginx.pid;
error_log ${dir}/nginx.log;
events { worker_connections 4000; }
http {
  access_log off;
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/f;
  uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  upstream apps { ${apps.map((app) => `server 127.0.0.1:${app} max_fails=1 fail_timeout=1s;`).join(" ")} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://apps; proxy_set_header Host $http_host; proxy_read_timeout 65s;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`;

async function run(
  command: string,
  file: string,
  args: string[],
  name: string,
  { dir, port }: Options,
): Promise<Balancer> {
  const path = join(dir, "balancer.conf");
  writeFileSync(path, file);
  const child: ChildProcess = spawn(command, [...args, path], { stdio: ["ignore", "ignore", "pipe"] });
  let response = "";
  child.stderr?.on("data", (chunk) => (response = (response + chunk).slice(-2000)));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  for (let tries = 0; !(await responses(port)); tries++) {
    if (tries > 50 || child.exitCode !== null) throw new Error(`${command} does not start: ${response}`);
    await sleep(100);
  }
  return {
    name,
    async stop() {
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(3000).then(() => child.kill("SIGKILL"))]);
    },
  };
}

const responses = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });

/** Connections in turn, to the next instance when one does not answer. */
async function roundRobin({ port, apps }: Options): Promise<Balancer> {
  let turn = 0;
  const server = createServer((near) => {
    const attempt = (left: number) => {
      const far = connect(apps[turn++ % apps.length]!, "127.0.0.1");
      let connected = false;
      far.on("connect", () => {
        connected = true;
        near.pipe(far);
        far.pipe(near);
      });
      far.on("error", () => (connected || left === 0 ? near.destroy() : attempt(left - 1)));
      near.on("close", () => far.destroy());
      far.on("close", () => connected && near.destroy());
    };
    near.on("error", () => near.destroy());
    attempt(apps.length - 1);
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    name: "round-robin of our own",
    async stop() {
      server.close();
    },
  };
}
