import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { startTestServer } from "@/tests/setup/shop";
import { sleep } from "@/tests/setup/shopper";
import { runTrial, type TrialResult } from "./table";

/** The bar of sign-ins beside uploads: their 95th percentile. */
const BAR_MS = 300;
const SIGN_INS = 240;
const PAUSE_MS = 40;
const LANES = 4;
const ACCOUNTS = 40;

/** The pictures that must be stored; sign-ins go on until they are. */
const HONEST = ["drawing", "photo", "screenshot"];

type Options = { databaseUrl: string; dataDir: string; logDir: string; seed: number; size: number };
type Picture = { name: string; type: string; bytes: Buffer };
type SignIns = { timesMs: number[]; failures: string[] };

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1500">${content}</svg>`);

/** What a merchant's token may send: two attacks that are refused, two that only the deadline ends, and honest pictures. */
async function createPictures(): Promise<Picture[]> {
  const patterns = Array.from(
    { length: 12 },
    (_, n) =>
      `<pattern id="p${n}" width="${n + 2}" height="${n + 2}" patternUnits="userSpaceOnUse"><rect width="50" height="50" fill="${n ? `url(#p${n - 1})` : "red"}"/></pattern>`,
  );
  const entities = "bcdef".split("").map((name, n) => `<!ENTITY ${name} "${`&${"abcde"[n]};`.repeat(10)}">`);
  const dashes = (count: number) =>
    `<circle id="c" r="900" stroke="#000" stroke-dasharray=".01" stroke-linecap="round"/>${'<use href="#c" x="9"/>'.repeat(count)}`;
  const noise = { create: { width: 3000, height: 2000, channels: 3, background: "#36a" } } as const;
  const photo = sharp(noise).composite([{ input: svg('<circle cx="900" cy="700" r="600" fill="#c63"/>') }]);
  const vector = (name: string, bytes: Buffer) => ({ name, type: "image/svg+xml", bytes });
  return [
    vector(
      "patterns",
      svg(`<defs>${patterns.join("")}</defs><rect width="2000" height="1500" fill="url(#p11)"/>`),
    ),
    vector(
      "entities",
      Buffer.from(`<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${entities.join("")}]><svg><text>&f;</text></svg>`),
    ),
    vector("dashes", svg(dashes(400))),
    vector("more dashes", svg(dashes(4_000))),
    vector("drawing", svg('<circle cx="900" cy="700" r="600" fill="#c63"/>')),
    { name: "photo", type: "image/jpeg", bytes: await photo.clone().jpeg().toBuffer() },
    { name: "screenshot", type: "image/png", bytes: await photo.clone().png().toBuffer() },
  ];
}

/**
 * Sign-ins with a password, one after the other, alone and beside the uploads of four merchants: 95 % take at most 300 ms, none
 * fails, and no upload is answered with an error of the shop.
 */
export const uploadTrial = ({ databaseUrl, dataDir, logDir, seed, size }: Options): Promise<TrialResult> =>
  runTrial(
    {
      invariant: `Uploads delay nobody: 95 % of password sign-ins beside them within ${BAR_MS} ms`,
      trial: "a sign-in beside four merchants who upload hostile and honest pictures without a pause",
      seed,
    },
    async (result) => {
      const { createUser } = await import("@/db/factories/accounts");
      const { createApiToken, createMerchant } = await import("@/db/factories/merchants");
      const count = Math.max(20, Math.round(SIGN_INS * size));
      const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => createUser()));
      const tokens = await Promise.all(
        Array.from({ length: LANES }, async () => createApiToken(await createMerchant())),
      );
      const pictures = await createPictures();
      mkdirSync(logDir, { recursive: true });
      const { address, stop } = await startTestServer({
        databaseUrl,
        dataDir,
        log: join(logDir, "uploads.log"),
      });
      let round = 0;
      const signIn = async (signIns: SignIns) => {
        const { email, password } = accounts[round++ % accounts.length]!;
        const startedAt = performance.now();
        const response = await post(`${address}/api/v1/auth/login/email`, {
          type: "application/json",
          body: JSON.stringify({ user_email: email, user_password: password }),
          headers: { "x-forwarded-for": `198.51.100.${1 + (round % 250)}` },
        });
        signIns.timesMs.push(performance.now() - startedAt);
        if (response !== "200") signIns.failures.push(`a sign-in responded ${response}`);
        await sleep(PAUSE_MS);
      };
      const signInWhile = async (goesOn: (times: number) => boolean): Promise<SignIns> => {
        const signIns: SignIns = { timesMs: [], failures: [] };
        while (goesOn(signIns.timesMs.length)) await signIn(signIns);
        return signIns;
      };
      try {
        await signInWhile((times) => times < 20); // code that is not compiled yet
        const alone = await signInWhile((times) => times < count);
        const answers = new Map<string, number>();
        let isOver = false;
        const upload = async (lane: number) => {
          for (let n = lane; !isOver; n++) {
            const { name, type, bytes } = pictures[n % pictures.length]!;
            const status = await post(`${address}/api/v1/merchant/images`, {
              type,
              body: new Uint8Array(bytes),
              headers: { authorization: tokens[lane]!.bearer },
            });
            const answer = `${name} ${status}`;
            answers.set(answer, (answers.get(answer) ?? 0) + 1);
          }
        };
        const uploads = Promise.all(tokens.map((_, lane) => upload(lane)));
        await sleep(2_000); // until both processes draw
        const areStored = () => HONEST.every((name) => answers.has(`${name} 200`));
        const goesOn = (times: number) => times < count || (times < 10 * count && !areStored());
        const beside = await signInWhile(goesOn).finally(() => {
          isOver = true;
        });
        await uploads;
        judge(result, { alone, beside, answers });
      } finally {
        await stop();
      }
    },
  );

async function post(
  url: string,
  { type, body, headers }: { type: string; body: BodyInit; headers: Record<string, string> },
): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": type, "idempotency-key": randomUUID(), ...headers },
    body,
    signal: AbortSignal.timeout(90_000),
  });
  const { code } = (await response.json()) as { code: string };
  return code;
}

const percentile = (timesMs: number[], share: number) =>
  Math.round([...timesMs].sort((a, b) => a - b)[Math.ceil(timesMs.length * share) - 1] ?? Number.NaN);
const describe = ({ timesMs }: SignIns) =>
  `p50 ${percentile(timesMs, 0.5)} ms, p95 ${percentile(timesMs, 0.95)} ms`;

function judge(
  result: TrialResult,
  { alone, beside, answers }: { alone: SignIns; beside: SignIns; answers: Map<string, number> },
): void {
  const p95 = percentile(beside.timesMs, 0.95);
  result.trials = beside.timesMs.length;
  result.recoveryMs.push(...beside.timesMs);
  if (!(p95 <= BAR_MS)) result.violations.push(`the 95th percentile beside uploads is ${p95} ms`);
  result.violations.push(...alone.failures, ...beside.failures);
  const isRefusal = (answer: string) => /4\d{4}$|50305$/.test(answer);
  for (const [answer, count] of answers)
    if (!answer.endsWith(" 200") && !isRefusal(answer))
      result.violations.push(`${count} uploads were answered: ${answer}`);
  for (const picture of HONEST)
    if (!answers.has(`${picture} 200`)) result.violations.push(`no ${picture} was stored`);
  const uploads = [...answers].map(([answer, count]) => `${count} × ${answer}`).join(", ");
  result.brokenVariant = `alone ${describe(alone)}; beside ${describe(beside)}; uploads: ${uploads}; load of the machine ${loadavg()[0]?.toFixed(1)}`;
}
