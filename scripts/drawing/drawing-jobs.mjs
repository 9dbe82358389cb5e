/**
 * Reads jobs from standard input and answers each on standard output: both as four bytes with the length of a header, the
 * header as JSON, and `size` bytes of a file. The first answer says that the process is ready.
 */
export function answerJobs(run) {
  const chunks = [];
  let received = 0;
  let needed = 4;

  /** The next complete job, or undefined. */
  const takeJob = () => {
    if (received < needed) return undefined;
    const all = Buffer.concat(chunks);
    chunks.splice(0, chunks.length, all);
    const headerEnd = 4 + all.readUInt32BE(0);
    if (all.length < headerEnd) {
      needed = headerEnd;
      return undefined;
    }
    const header = JSON.parse(all.toString("utf8", 4, headerEnd));
    const end = headerEnd + header.size;
    if (all.length < end) {
      needed = end;
      return undefined;
    }
    const rest = all.subarray(end);
    chunks.splice(0, chunks.length, rest);
    received = rest.length;
    needed = 4;
    return { header, bytes: all.subarray(headerEnd, end) };
  };

  process.stdin.on("data", (chunk) => {
    chunks.push(chunk);
    received += chunk.length;
    const job = takeJob();
    // One job at a time: the next is sent after the answer.
    if (job) run(job.header, job.bytes).then(send);
  });
  // The shop has ended; what is on the way must not keep this process.
  process.stdin.on("end", () => process.kill(process.pid, "SIGKILL"));
  send({ answer: {} });
}

function send({ answer, bytes = Buffer.alloc(0) }) {
  const header = Buffer.from(
    JSON.stringify({ ...answer, size: bytes.length, memory: process.memoryUsage().rss }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  process.stdout.write(Buffer.concat([length, header, bytes]));
}
