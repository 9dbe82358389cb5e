import { createServer } from "node:net";

/** The system's error code (EADDRINUSE, EACCES …) if a port cannot be listened on; undefined if it is free. */
export async function portError(port: number, hosts = ["::", "127.0.0.1"]): Promise<string | undefined> {
  for (const host of hosts) {
    const problem = await tryListen(port, host);
    const noSuchAddress = problem === "EAFNOSUPPORT" || problem === "EADDRNOTAVAIL";
    if (problem && !noSuchAddress) return problem;
  }
  return undefined;
}

/** A free port below the range of outgoing connections, so that it stays free until it is used. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (!(await portError(port))) return port;
  }
  throw new Error("No free port was found between 20000 and 30000.");
}

function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
