import { join } from "node:path";
import { type Balancer, startBalancer } from "@/lab/faults/balancer";
import { createProvider, distinctPorts, providerVariables } from "@/lab/faults/deployment";
import type { Shop } from "@/lab/faults/deployment-sales";
import { type MailServer, startMailServer } from "@/lab/faults/mail-server";
import {
  createFolder,
  type Instance,
  type Release,
  type ReleaseProcess,
  runEntry,
  startEntry,
  startInstance,
} from "@/lab/faults/release-trials";
import { sleep } from "@/tests/setup/shopper";
import type { HaCluster } from "./cluster";

/** Two instances of two releases behind haproxy, a worker, and the payment and the mail provider, on a cluster. */
export type HaShop = Shop & {
  mail: MailServer;
  instances: Instance[];
  /** How often the worker crashed and was restarted. */
  workerExits(): number;
  /** Ends one instance with SIGTERM, starts the other release in its place, and waits for the balancer. Returns its exit code. */
  roll(index: number): Promise<number | null>;
  stop(): Promise<void>;
};

type Options = { cluster: HaCluster; releases: [Release, Release]; dataDir: string };

/** Migrates the database by the first release, and starts all. */
export async function startHaShop({ cluster, releases, dataDir }: Options): Promise<HaShop> {
  createFolder(dataDir);
  const [front, first, second, payments] = (await distinctPorts(4)) as [number, number, number, number];
  const mail = await startMailServer();
  const address = `http://localhost:${front}`;
  const { pooler, primary, replica } = cluster.urls;
  const variables: Record<string, string> = {
    APP_URL: address,
    DATABASE_DIRECT_URL: primary,
    DATABASE_REPLICA_URL: replica,
    ...providerVariables({ payments, mail: mail.port }),
    // Longer than two checks of the balancer and one answer (docs/operations.md).
    SHUTDOWN_NOTICE_SECONDS: "3",
  };
  const start = { databaseUrl: pooler, dataDir, variables };
  const log = join(dataDir, "provider.log");
  const { provider, callProvider } = createProvider({
    payments,
    front,
    databaseUrl: primary,
    log,
    env: variables,
  });
  const ports = [first, second];
  const running: Release[] = [...releases];
  const instances: Instance[] = [];
  let worker: ReleaseProcess | undefined;
  let workerStarts = 0;
  let isStopping = false;
  /** Starts it again when it ends, as a supervisor does. */
  const startWorker = () => {
    workerStarts++;
    worker = startEntry(releases[0], "worker.js", "worker", start);
    void worker.ended.then(() => {
      if (!isStopping) setTimeout(startWorker, 1_000);
    });
  };
  let balancer: Balancer | undefined;
  const stop = async () => {
    isStopping = true;
    for (const each of [...instances, worker]) each?.kill();
    await provider.kill();
    await balancer?.stop();
    await mail.stop();
  };
  try {
    await runEntry(releases[0], "migrate.js", start);
    await provider.start();
    for (const [index, port] of ports.entries())
      instances[index] = await startInstance(running[index]!, start, port);
    startWorker();
    balancer = await startBalancer({ port: front, apps: ports, dir: join(dataDir, "front"), required: true });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    mail,
    instances,
    workerExits: () => workerStarts - 1,
    callProvider,
    async roll(index) {
      const code = await instances[index]!.stop();
      running[index] = releases.find((release) => release !== running[index])!;
      instances[index] = await startInstance(running[index], start, ports[index]);
      while (!(await balancer?.hasAll?.())) await sleep(100);
      return code;
    },
    stop,
  };
}
