import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@/scripts/start/ports";
import { sleep } from "@/tests/setup/shopper";
import {
  DATABASE,
  DebianProcesses,
  findPostgres,
  hasCommand,
  listPostgresProcesses,
  PASSWORD,
  poolerSettings,
  shopUrl,
  signal,
  USER,
} from "./debian-processes";

export const MISSING_PACKAGES =
  "needs Debian's packages postgresql, pgbouncer and openssl: apt-get install -y postgresql pgbouncer openssl";

function findBinaries(): string | undefined {
  const hasOthers = ["pgbouncer", "openssl"].every((name) => hasCommand(name, "version"));
  return hasOthers ? findPostgres() : undefined;
}

export const hasDebianPostgres = (): boolean => findBinaries() !== undefined;

type Node = { port: number; folder: string };

/**
 * A primary with TLS by a private CA, a streaming standby, and PgBouncer with transaction pooling, all from Debian's
 * packages, in their own folder.
 */
export class DebianPostgres extends DebianProcesses {
  private constructor(
    private readonly bin: string,
    folder: string,
    readonly nodes: readonly [Node, Node],
    readonly poolerPort: number,
  ) {
    super(folder);
  }

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

  /** The address of a node, with parameters. */
  url({ node = 0, host = "127.0.0.1", query = "" } = {}): string {
    return shopUrl(`${host}:${this.nodes[node]!.port}`, query);
  }

  poolerUrl = () => shopUrl(this.poolerPort);

  file = (name: string) => join(this.folder, name);

  startNode(index: number): void {
    this.runPostgres("pg_ctl", [
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
    this.signalNode(index, "SIGKILL");
  }

  signalNode(index: number, name: NodeJS.Signals): void {
    for (const pid of listPostgresProcesses(this.nodes[index]!.folder)) signal(pid, name);
  }

  promote(index: number): void {
    this.runPostgres("pg_ctl", ["-D", this.nodes[index]!.folder, "-w", "promote"]);
  }

  /** Replaces a node by a new streaming standby of the other one. */
  cloneStandby(index: number, primary: number): void {
    const { folder, port } = this.nodes[index]!;
    rmSync(folder, { recursive: true, force: true });
    const from = ["-h", this.folder, "-p", String(this.nodes[primary]!.port), "-U", "postgres"];
    this.runPostgres("pg_basebackup", [...from, "-D", folder, "-R", "-X", "stream", "-c", "fast"]);
    const settings = join(folder, "postgresql.conf");
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(/^port=\d+$/gm, `port=${port}`));
    this.startNode(index);
  }

  private async startPooler(): Promise<void> {
    const file = this.file("pgbouncer.ini");
    writeFileSync(
      file,
      poolerSettings(this.folder, {
        port: this.poolerPort,
        backend: this.nodes[0].port,
        limits: "set statement_timeout=2500; set lock_timeout=2500; set jit=off",
        more: { default_pool_size: 8, pidfile: this.file("pgbouncer.pid") },
      }),
    );
    this.own(file);
    spawn("pgbouncer", [file], { ...this.asOwner(), stdio: "ignore" });
    await waitForPort(this.poolerPort);
  }

  stop(): void {
    this.killPooler();
    for (const index of [0, 1]) this.killNode(index);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private killPooler(): void {
    const file = this.file("pgbouncer.pid");
    if (!existsSync(file)) return;
    const pid = Number(readFileSync(file, "utf8"));
    const command = `/proc/${pid}/cmdline`;
    // The process id in the file may belong to another process by now.
    if (existsSync(command) && readFileSync(command, "utf8").includes(this.folder)) signal(pid, "SIGKILL");
  }

  private runPostgres(command: string, args: string[]): void {
    this.run(command, args, { bin: this.bin });
  }

  private createPrimary(): void {
    const { folder, port } = this.nodes[0];
    this.runPostgres("initdb", [
      "-D",
      folder,
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--no-locale",
      "-N",
    ]);
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
      this.runPostgres("psql", ["-h", this.folder, "-p", String(port), "-U", "postgres", "-qc", text]);
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
