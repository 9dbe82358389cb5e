// npm start and npm run dev: plain Node without dependencies, because it runs before anything is installed.
import { spawn } from "node:child_process";
import { checkNode, ensureInstalled } from "./start/install.mjs";
import { endAll, root } from "./start/run.mjs";

checkNode();

let server;
let stopping = false;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(name, async () => {
    if (stopping) return;
    stopping = true;
    if (server) return void server.kill(name === "SIGHUP" ? "SIGTERM" : name);
    await endAll();
    process.exit(130);
  });
}

if (!(await ensureInstalled({ dev: false }))) process.exit(1);
if (!stopping) {
  const args = ["--import", "tsx", "scripts/start/serve.ts", ...process.argv.slice(2)];
  // The IPC channel closes if this process is killed, which stops the child. Signals are forwarded once.
  server = spawn(process.execPath, args, { cwd: root, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  server.on("exit", (code) => process.exit(code ?? (stopping ? 0 : 1)));
}
