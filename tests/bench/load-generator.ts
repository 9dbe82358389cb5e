import { connect, type Socket } from "node:net";

/*
 * The load generator, a separate process with keep-alive connections that each have one request in flight. It writes
 * prepared bytes to a socket and only finds the end of each response, because it shares the machine with the server.
 */
export type Load = {
  port: number;
  /** Requested in turn. */
  paths: string[];
  headers: Record<string, string>;
  connections: number;
  /** Ends after this time, or after `requests` responses. */
  ms: number;
  requests?: number;
};
export type LoadResult = {
  requests: number;
  /** Responses other than 200. */
  failures: number;
  seconds: number;
  /** CPU use of the generator; near 1, the generator limits the rate. */
  cpuShare: number;
  p50Ms: number;
  p99Ms: number;
};

const END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Byte length of the response at the start of `received`; undefined while it is incomplete. */
function responseLength(received: Buffer): number | undefined {
  const head = received.indexOf(END);
  if (head < 0) return undefined;
  const text = received.toString("latin1", 0, head);
  const length = /\ncontent-length: (\d+)/i.exec(text)?.[1];
  const total = head + 4 + Number(length ?? 0);
  if (length !== undefined) return received.length >= total ? total : undefined;
  if (/^HTTP\/1\.1 (204|304)/.test(text)) return head + 4;
  // Chunked; no other response follows, because the next request waits for the end of this one.
  return received.subarray(-5).equals(LAST_CHUNK) ? received.length : undefined;
}

type Tally = { sent: number; responses: number; failures: number; times: number[]; finished: boolean };

function run({
  port,
  paths,
  headers,
  connections,
  ms,
  requests = Number.POSITIVE_INFINITY,
}: Load): Promise<LoadResult> {
  const fields = Object.entries({ host: `localhost:${port}`, ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const requestBytes = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines}\r\n`));
  const tally: Tally = { sent: 0, responses: 0, failures: 0, times: [], finished: false };
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sockets: Socket[] = [];
    const finish = () => {
      if (tally.finished) return;
      tally.finished = true;
      const seconds = (performance.now() - startedAt) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      for (const socket of sockets) socket.destroy();
      const times = tally.times.sort((a, b) => a - b);
      const quantile = (part: number) => times[Math.floor(times.length * part)] ?? 0;
      const { responses, failures } = tally;
      const cpuShare = (user + system) / 1e6 / seconds;
      resolve({
        requests: responses,
        failures,
        seconds,
        cpuShare,
        p50Ms: quantile(0.5),
        p99Ms: quantile(0.99),
      });
    };
    setTimeout(finish, ms).unref();
    const nextRequest = () =>
      tally.sent < requests ? requestBytes[tally.sent++ % requestBytes.length] : undefined;
    for (let count = 0; count < connections; count++)
      sockets.push(
        openConnection(port, tally, nextRequest, () => tally.responses >= requests && finish(), reject),
      );
  });
}

function openConnection(
  port: number,
  tally: Tally,
  nextRequest: () => Buffer | undefined,
  onResponse: () => void,
  reject: (error: Error) => void,
): Socket {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let partial: Buffer | undefined;
  let sentAt = 0;
  const sendNext = () => {
    const bytes = nextRequest();
    sentAt = performance.now();
    if (bytes) socket.write(bytes);
  };
  socket.once("connect", sendNext);
  socket.on("data", (chunk) => {
    const received = partial ? Buffer.concat([partial, chunk]) : chunk;
    if (responseLength(received) === undefined) {
      partial = received;
      return;
    }
    partial = undefined;
    tally.responses++;
    tally.times.push(performance.now() - sentAt);
    if (received.toString("latin1", 9, 12) !== "200") tally.failures++;
    onResponse();
    sendNext();
  });
  socket.on("error", (error) => !tally.finished && reject(error));
  socket.on("close", () => !tally.finished && reject(new Error("the server closed a connection")));
  return socket;
}

process.on("message", (load: Load) => {
  run(load).then(
    (loaded) => process.send?.({ loaded }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.channel?.ref(); // scripts/follow-parent.mjs unreferences the channel
process.send?.({ ready: true });
