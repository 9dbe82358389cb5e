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
export type Loaded = {
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
function lengthOf(received: Buffer): number | undefined {
  const head = received.indexOf(END);
  if (head < 0) return undefined;
  const text = received.toString("latin1", 0, head);
  const length = /\ncontent-length: (\d+)/i.exec(text)?.[1];
  const whole = head + 4 + Number(length ?? 0);
  if (length !== undefined) return received.length >= whole ? whole : undefined;
  if (/^HTTP\/1\.1 (204|304)/.test(text)) return head + 4;
  // Chunked; no other response follows, because the next request waits for the end of this one.
  return received.subarray(-5).equals(LAST_CHUNK) ? received.length : undefined;
}

type Tally = { asked: number; answered: number; failures: number; times: number[]; ended: boolean };

function run({
  port,
  paths,
  headers,
  connections,
  ms,
  requests = Number.POSITIVE_INFINITY,
}: Load): Promise<Loaded> {
  const fields = Object.entries({ host: `localhost:${port}`, ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const ready = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines}\r\n`));
  const tally: Tally = { asked: 0, answered: 0, failures: 0, times: [], ended: false };
  const cpu = process.cpuUsage();
  const began = performance.now();
  return new Promise((done, fail) => {
    const sockets: Socket[] = [];
    const finish = () => {
      if (tally.ended) return;
      tally.ended = true;
      const seconds = (performance.now() - began) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      for (const socket of sockets) socket.destroy();
      const times = tally.times.sort((a, b) => a - b);
      const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
      const { answered, failures } = tally;
      const cpuShare = (user + system) / 1e6 / seconds;
      done({ requests: answered, failures, seconds, cpuShare, p50Ms: at(0.5), p99Ms: at(0.99) });
    };
    setTimeout(finish, ms).unref();
    const next = () => (tally.asked < requests ? ready[tally.asked++ % ready.length] : undefined);
    for (let count = 0; count < connections; count++)
      sockets.push(converse(port, tally, next, () => tally.answered >= requests && finish(), fail));
  });
}

function converse(
  port: number,
  tally: Tally,
  next: () => Buffer | undefined,
  onAnswer: () => void,
  fail: (error: Error) => void,
): Socket {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let rest: Buffer | undefined;
  let sent = 0;
  const ask = () => {
    const bytes = next();
    sent = performance.now();
    if (bytes) socket.write(bytes);
  };
  socket.once("connect", ask);
  socket.on("data", (chunk) => {
    const received = rest ? Buffer.concat([rest, chunk]) : chunk;
    if (lengthOf(received) === undefined) {
      rest = received;
      return;
    }
    rest = undefined;
    tally.answered++;
    tally.times.push(performance.now() - sent);
    if (received.toString("latin1", 9, 12) !== "200") tally.failures++;
    onAnswer();
    ask();
  });
  socket.on("error", (error) => !tally.ended && fail(error));
  socket.on("close", () => !tally.ended && fail(new Error("the server closed a connection")));
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
