import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DATABASE,
  DebianProcesses,
  findPostgres,
  hasCommand,
  listPostgresProcesses,
  PASSWORD,
  poolerSettings,
  readOutput,
  shopUrl,
  signal,
  USER,
} from "@/lab/faults/debian-processes";
import { distinctPorts } from "@/lab/faults/deployment";
import { sleep } from "@/tests/setup/shopper";

/** What Debian names the package of each command. */
const PACKAGES = {
  patroni: "patroni",
  etcd: "etcd-server",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  psql: "postgresql-client",
};
/** The version that Debian 12 has. */
const VERSION = "15";

/** One sentence with the packages that the part `ha` lacks; undefined when all are there. */
export function findMissingPackages(): string | undefined {
  const missing = Object.entries(PACKAGES)
    .filter(([command]) => !hasCommand(command, "--version"))
    .map(([, name]) => name);
  if (!findPostgres(VERSION)) missing.push("postgresql-15");
  if (missing.length === 0) return undefined;
  const are = missing.length === 1 ? "package is" : "packages are";
  return `The part ha is skipped, because Debian's ${are} missing: apt-get install -y ${missing.join(" ")}`;
}

type Node = { name: string; port: number; apiPort: number; data: string; process?: ChildProcess };
type Member = { name: string; role: string; state: string; timeline?: number };

/**
 * Seconds. A leader that dies with its machine is replaced when its lease in etcd ends; Patroni wants
 * loop_wait + 2 × retry_timeout ≤ ttl.
 */
const TIMES = { ttl: 8, loop_wait: 1, retry_timeout: 3 };

/**
 * Three Patroni nodes with etcd, haproxy for the primary and one replica, and PgBouncer with transaction pooling, from
 * Debian's packages, in their own folder. One replica is synchronous, so that a failover loses no commit.
 */
export class HaCluster extends DebianProcesses {
  private readonly bin = findPostgres(VERSION)!;
  private readonly children = new Set<ChildProcess>();
  private pooler: ChildProcess | undefined;
  private isStopping = false;

  private constructor(
    folder: string,
    readonly nodes: readonly Node[],
    private readonly ports: { etcd: number; peer: number; primary: number; replica: number; pooler: number },
  ) {
    super(folder);
  }

  /** Starts all in `folder`, which is created, with the primary behind `primary`; resolves when the three nodes stream. */
  static async start(folder: string, primary: number): Promise<HaCluster> {
    const ports = await distinctPorts(10);
    const nodes = [0, 1, 2].map((index) => ({
      name: `node${index}`,
      port: ports[index]!,
      apiPort: ports[index + 3]!,
      data: join(folder, `node${index}`),
    }));
    const [etcd, peer, replica, pooler] = ports.slice(6) as [number, number, number, number];
    const cluster = new HaCluster(folder, nodes, { etcd, peer, primary, replica, pooler });
    mkdirSync(folder, { recursive: true });
    cluster.own(folder);
    try {
      await cluster.startAll();
    } catch (error) {
      cluster.stop();
      throw error;
    }
    return cluster;
  }

  private async startAll(): Promise<void> {
    const { etcd, peer } = this.ports;
    const client = `http://127.0.0.1:${etcd}`;
    const peers = `http://127.0.0.1:${peer}`;
    this.spawn("etcd", [
      ...["--name", "etcd", "--data-dir", join(this.folder, "etcd"), "--log-level", "error"],
      ...["--listen-client-urls", client, "--advertise-client-urls", client],
      ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers],
      ...["--initial-cluster", `etcd=${peers}`],
    ]);
    await until("etcd", 30, async () => (await fetch(`${client}/health`)).ok);
    for (const node of this.nodes) this.startNode(node);
    this.startHaproxy();
    await this.waitUntilHealthy(180);
    const leader = await this.leader();
    this.psql(leader!, "postgres", `create role ${USER} login password '${PASSWORD}'`);
    this.psql(leader!, "postgres", `create database ${DATABASE} owner ${USER}`);
    await this.startPooler();
  }

  /** The addresses of the shop: the same whichever node leads. */
  get urls(): { pooler: string; primary: string; replica: string } {
    const { pooler, primary, replica } = this.ports;
    return { pooler: shopUrl(pooler), primary: shopUrl(primary), replica: shopUrl(replica) };
  }

  /** The versions of what runs, for the table. */
  versions(): string {
    const find = (command: string, argument: string) =>
      /\d+\.\d+(?:\.\d+)?/.exec(readOutput(command, argument))?.[0] ?? "?";
    return [
      `Postgres ${find(join(this.bin, "postgres"), "--version")}`,
      `Patroni ${find("patroni", "--version")}`,
      `etcd ${find("etcd", "--version")}`,
      `haproxy ${find("haproxy", "-v")}`,
      `PgBouncer ${find("pgbouncer", "--version")}`,
    ].join(", ");
  }

  async members(): Promise<Member[]> {
    for (const { apiPort } of this.nodes) {
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
        signal: AbortSignal.timeout(2000),
      }).catch(() => undefined);
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async leader(): Promise<Node | undefined> {
    const leader = (await this.members()).find(({ role }) => role === "leader");
    return this.nodes.find(({ name }) => name === leader?.name);
  }

  /** Resolves when a leader, a synchronous standby and another replica run on one timeline. */
  async waitUntilHealthy(seconds: number): Promise<void> {
    await until("the cluster", seconds, async () => {
      const members = await this.members();
      const count = (role: string) =>
        members.filter((member) => member.role === role && /^(running|streaming)$/.test(member.state)).length;
      const timelines = new Set(members.map(({ timeline }) => timeline));
      return (
        count("leader") === 1 && count("sync_standby") === 1 && count("replica") === 1 && timelines.size === 1
      );
    });
  }

  startNode(node: Node): void {
    const file = join(this.folder, `${node.name}.yml`);
    writeFileSync(file, JSON.stringify(this.patroniSettings(node), null, 1)); // JSON is YAML
    this.own(file);
    node.process = this.spawn("patroni", [file], node.name);
  }

  /** `kill -9` of Patroni and of every Postgres process of a node, as when its machine dies. */
  killNode(node: Node): void {
    node.process?.kill("SIGKILL");
    for (const pid of listPostgresProcesses(node.data)) signal(pid, "SIGKILL");
  }

  /** SIGSTOP or SIGCONT to every Postgres process of a node. */
  signalNode(node: Node, name: "SIGSTOP" | "SIGCONT"): void {
    for (const pid of listPostgresProcesses(node.data)) signal(pid, name);
  }

  /** `kill -9` of PgBouncer, and a new one. */
  async restartPooler(): Promise<void> {
    const { pooler } = this;
    const ended = new Promise((done) => pooler?.once("exit", done));
    pooler?.kill("SIGKILL");
    await ended;
    await this.startPooler();
  }

  /** Ends every process and removes the folder, unless `keep`. */
  stop({ keep = false } = {}): void {
    this.isStopping = true;
    for (const child of this.children) child.kill("SIGKILL");
    for (const node of this.nodes) for (const pid of listPostgresProcesses(node.data)) signal(pid, "SIGKILL");
    if (!keep) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private patroniSettings({ name, port, apiPort, data }: Node): object {
    const account = (username: string) => ({ username, password: PASSWORD });
    return {
      scope: "passlane",
      name,
      restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
      etcd3: { hosts: [`127.0.0.1:${this.ports.etcd}`] },
      bootstrap: {
        dcs: {
          ...TIMES,
          synchronous_mode: true,
          primary_start_timeout: 0,
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            parameters: { max_connections: 200, wal_sender_timeout: "5s", wal_receiver_timeout: "5s" },
          },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: data,
        bin_dir: this.bin,
        pgpass: join(this.folder, `${name}.pgpass`),
        authentication: {
          superuser: account("postgres"),
          replication: account("replicator"),
          rewind: account("rewinder"),
        },
        parameters: { unix_socket_directories: this.folder },
        pg_hba: [
          "local all all trust",
          "host all all 127.0.0.1/32 scram-sha-256",
          "host replication all 127.0.0.1/32 scram-sha-256",
        ],
        basebackup: { checkpoint: "fast" },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    };
  }

  /** The primary by `/primary`, and one replica at a time by `/replica` (docs/operations.md#beyond-one-machine). */
  private startHaproxy(): void {
    const { primary, replica } = this.ports;
    const servers = this.nodes
      .map(({ name, port, apiPort }) => `  server ${name} 127.0.0.1:${port} check port ${apiPort}`)
      .join("\n");
    const section = (name: string, port: number, more = "") => `listen ${name}
  bind 127.0.0.1:${port}
  option httpchk GET /${name}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${more}${servers}
`;
    const file = join(this.folder, "haproxy.cfg");
    writeFileSync(
      file,
      `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h
  retries 1
${section("primary", primary)}
${section("replica", replica, "  stick-table type ip size 1 nopurge\n  stick on dst\n")}`,
    );
    this.own(file);
    this.spawn("haproxy", ["-db", "-f", file], "haproxy");
  }

  private async startPooler(): Promise<void> {
    const file = join(this.folder, "pgbouncer.ini");
    writeFileSync(
      file,
      poolerSettings(this.folder, {
        port: this.ports.pooler,
        backend: this.ports.primary,
        limits:
          "set statement_timeout=2500; set lock_timeout=2500; set idle_in_transaction_session_timeout=8000; set jit=off",
        more: {
          default_pool_size: 20,
          server_login_retry: 1,
          server_connect_timeout: 3,
          query_wait_timeout: 5,
        },
      }),
    );
    this.own(file);
    this.pooler = this.spawn("pgbouncer", ["-q", file], "pooler");
    await until("PgBouncer", 10, async () => {
      this.run("psql", [this.urls.pooler, "-qc", "select 1"], { timeout: 10_000 });
      return true;
    });
  }

  private psql(node: Node, database: string, text: string): void {
    const to = ["-h", this.folder, "-p", String(node.port), "-U", "postgres", "-d", database];
    this.run("psql", [...to, "-qc", text], { timeout: 10_000 });
  }

  private spawn(command: string, args: string[], name = command): ChildProcess {
    const output = openSync(join(this.folder, `${name}.out`), "a");
    const child = spawn(command, args, { ...this.asOwner(), stdio: ["ignore", output, output] });
    closeSync(output);
    this.children.add(child);
    child.once("exit", () => this.children.delete(child));
    child.once("error", (error) => {
      if (!this.isStopping) console.error(`${command}: ${error.message}`);
    });
    return child;
  }
}

async function until(name: string, seconds: number, check: () => Promise<boolean>): Promise<void> {
  let reason: unknown;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(250)) {
    try {
      if (await check()) return;
    } catch (error) {
      reason = error;
    }
  }
  throw new Error(`${name} is not ready within ${seconds} s${reason ? `: ${reason}` : ""}`);
}
