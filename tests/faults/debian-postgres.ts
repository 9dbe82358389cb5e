import { execFileSync, type SpawnSyncOptions, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { chooseDatabaseUser } from "@/scripts/database-files";
import { freePort } from "@/scripts/ports";
import { sleep } from "./shopper";

const ROOT = "/usr/lib/postgresql";
const USER = "passlane";
const PASSWORD = "s3cret";
const DATABASE = "passlane";

export const MISSING_PACKAGES =
  "needs Debian's packages postgresql, pgbouncer and openssl: apt-get install -y postgresql pgbouncer openssl";

function findBinaries(): string | undefined {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions
    .map((version) => join(ROOT, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
  const hasOthers = ["pgbouncer", "openssl"].every(
    (name) => spawnSync(name, ["version"], { stdio: "ignore" }).error === undefined,
  );
  return folder && hasOthers ? folder : undefined;
}

export const hasDebianPostgres = (): boolean => findBinaries() !== undefined;

type Node = { port: number; folder: string };

/**
 * A primary with TLS by a private CA, a streaming standby, and PgBouncer with transaction pooling, all from Debian's packages,
 * in a folder of their own.
 */
export class DebianPostgres {
  private readonly owner = chooseDatabaseUser(undefined);

  private constructor(
    private readonly bin: string,
    private readonly folder: string,
    readonly nodes: readonly [Node, Node],
    readonly poolerPort: number,
  ) {}

  /** @throws Error with MISSING_PACKAGES when a package is missing */
  static async start(folder: string): Promise<DebianPostgres> {
    const bin = findBinaries();
    if (!bin) throw new Error(MISSING_PACKAGES);
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const nodes = [0, 1].map((index) => ({ port: ports[index]!, folder: join(folder, `node${index}`) }));
    const postgres = new DebianPostgres(bin, folder, nodes as [Node, Node], ports[2]);
    postgres.stop(); // left by an interrupted run
    mkdirSync(folder, { recursive: true });
    postgres.own(folder);
    postgres.createCertificates();
    postgres.createPrimary();
    postgres.cloneStandby(1, 0);
    await postgres.startPooler();
    return postgres;
  }

  /** An address of both nodes, or of those given, with parameters. */
  url({
    nodes = [0],
    host = "127.0.0.1",
    query = "",
  }: {
    nodes?: number[];
    host?: string;
    query?: string;
  } = {}): string {
    const hosts = nodes.map((index) => `${host}:${this.nodes[index]!.port}`).join(",");
    return `postgres://${USER}:${PASSWORD}@${hosts}/${DATABASE}${query && `?${query}`}`;
  }

  poolerUrl(): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${this.poolerPort}/${DATABASE}`;
  }

  file = (name: string) => join(this.folder, name);

  startNode(index: number): void {
    this.run("pg_ctl", [
      "-D",
      this.nodes[index]!.folder,
      "-l",
      `${this.nodes[index]!.folder}.log`,
      "-w",
      "start",
    ]);
  }

  /** `kill -9` of every process of a node. */
  killNode(index: number): void {
    const pid = this.pidOf(index);
    if (!this.isOwn(pid)) return;
    const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
    for (const each of [pid, ...children.split("\n").map(Number)]) if (each > 0) this.signal(each, "SIGKILL");
  }

  promote(index: number): void {
    this.run("pg_ctl", ["-D", this.nodes[index]!.folder, "-w", "promote"]);
  }

  /** Replaces a node by a new streaming standby of the other one. */
  cloneStandby(index: number, primary: number): void {
    const { folder, port } = this.nodes[index]!;
    rmSync(folder, { recursive: true, force: true });
    const from = ["-h", this.folder, "-p", String(this.nodes[primary]!.port), "-U", "postgres"];
    this.run("pg_basebackup", [...from, "-D", folder, "-R", "-X", "stream", "-c", "fast"]);
    const settings = join(folder, "postgresql.conf");
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(/^port=\d+$/gm, `port=${port}`));
    this.startNode(index);
  }

  private async startPooler(): Promise<void> {
    const file = this.file("pgbouncer.ini");
    const backend = `host=127.0.0.1 port=${this.nodes[0].port} dbname=${DATABASE} user=${USER} password=${PASSWORD}`;
    writeFileSync(
      file,
      `[databases]
${DATABASE} = ${backend} connect_query='set statement_timeout=2500; set lock_timeout=2500; set jit=off'
[pgbouncer]
listen_addr=127.0.0.1
listen_port=${this.poolerPort}
unix_socket_dir=
auth_type=any
pool_mode=transaction
default_pool_size=8
max_client_conn=500
logfile=${this.file("pgbouncer.log")}
pidfile=${this.file("pgbouncer.pid")}
`,
    );
    this.own(file);
    spawn("pgbouncer", [file], { stdio: "ignore", ...this.asOwner() });
    await waitForPort(this.poolerPort);
  }

  stop(): void {
    try {
      const pid = Number(readFileSync(this.file("pgbouncer.pid"), "utf8"));
      if (this.isOwn(pid)) this.signal(pid, "SIGKILL");
    } catch {
      // It does not run.
    }
    for (const index of [0, 1])
      try {
        this.killNode(index);
      } catch {
        // It does not run.
      }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private createPrimary(): void {
    const { folder, port } = this.nodes[0];
    this.run("initdb", ["-D", folder, "-U", "postgres", "-A", "trust", "-N"]);
    const settings = join(folder, "postgresql.conf");
    writeFileSync(
      settings,
      `${readFileSync(settings, "utf8")}
port=${port}
listen_addresses='127.0.0.1'
unix_socket_directories='${this.folder}'
ssl=on
ssl_cert_file='${this.file("server.pem")}'
ssl_key_file='${this.file("server.key")}'
max_connections=200
hot_standby=on
`,
    );
    const rules = join(folder, "pg_hba.conf");
    const first = `host all ${USER} 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 trust\n`;
    writeFileSync(rules, first + readFileSync(rules, "utf8"));
    this.startNode(0);
    const psql = (text: string) =>
      this.run("psql", ["-h", this.folder, "-p", String(port), "-U", "postgres", "-qc", text]);
    psql(`create role ${USER} superuser login password '${PASSWORD}'`);
    psql(`create database ${DATABASE} owner ${USER}`);
  }

  /** A CA, a certificate of it for localhost, and another CA. */
  private createCertificates(): void {
    const openssl = (...args: string[]) => this.run("openssl", args);
    const request = ["-newkey", "rsa:2048", "-nodes", "-days", "30"];
    for (const name of ["ca", "other"])
      openssl(
        "req",
        "-x509",
        ...request,
        "-subj",
        `/CN=${name}`,
        "-keyout",
        this.file(`${name}.key`),
        "-out",
        this.file(`${name}.pem`),
      );
    openssl(
      "req",
      ...request.slice(0, 3),
      "-subj",
      "/CN=localhost",
      "-keyout",
      this.file("server.key"),
      "-out",
      this.file("server.csr"),
    );
    writeFileSync(this.file("names"), "subjectAltName=DNS:localhost");
    const signed = [
      "-CA",
      this.file("ca.pem"),
      "-CAkey",
      this.file("ca.key"),
      "-CAcreateserial",
      "-days",
      "30",
    ];
    openssl(
      "x509",
      "-req",
      "-in",
      this.file("server.csr"),
      ...signed,
      "-extfile",
      this.file("names"),
      "-out",
      this.file("server.pem"),
    );
    chmodSync(this.file("server.key"), 0o600);
    for (const name of ["ca.pem", "other.pem"]) chmodSync(this.file(name), 0o644);
  }

  private run(command: string, args: string[]): void {
    const path = existsSync(join(this.bin, command)) ? join(this.bin, command) : command;
    // Without pipes, because the servers that pg_ctl starts would keep them open.
    const { status } = spawnSync(path, args, { stdio: "ignore", cwd: this.folder, ...this.asOwner() });
    if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status} in ${this.folder}`);
  }

  private asOwner = (): SpawnSyncOptions & { uid?: number; gid?: number } =>
    this.owner ? { uid: this.owner.uid, gid: this.owner.gid } : {};

  private own(path: string): void {
    if (this.owner) chownSync(path, this.owner.uid, this.owner.gid);
  }

  private pidOf = (index: number): number =>
    Number(readFileSync(join(this.nodes[index]!.folder, "postmaster.pid"), "utf8").split("\n")[0]);

  /** A number in a file that is left may be another process by now. */
  private isOwn = (pid: number): boolean =>
    existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(this.folder);

  private signal(pid: number, signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}
