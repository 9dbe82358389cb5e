import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { env } from "@/lib/platform/env";

/** An email in the local mailbox: a JSON file in `${DATA_DIR}/mailbox`, outside the database. */
export type StoredMail = {
  id: string;
  /** When it was first accepted, ISO 8601 in UTC, wall clock; unchanged by retries. */
  at: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  /** Tags of the sender, e.g. event and locale. */
  tags: Record<string, string>;
};

/** Whether there is a local mailbox. It shows everyone's email, so production needs an explicit permission. */
export function hasMailbox(): boolean {
  const { MAIL_MODE, APP_MODE, ALLOW_SANDBOX_IN_PRODUCTION } = env();
  return MAIL_MODE === "local" && (APP_MODE !== "production" || ALLOW_SANDBOX_IN_PRODUCTION);
}

/** Stores an email under a name made of address and idempotency key: a retry writes the same file. */
export async function storeMail(mail: Omit<StoredMail, "at">, idempotencyKey: string): Promise<void> {
  const folder = mailboxFolder();
  const file = path.join(folder, `${addressPart(mail.to)}-${digest(idempotencyKey, 32)}.json`);
  const previous = await readMail(file);
  const stored: StoredMail = { ...mail, at: previous?.at ?? new Date().toISOString() };
  // Written to a temporary file and renamed, so that readers and crashes never leave half an email.
  const temporary = path.join(folder, `.${randomBytes(8).toString("hex")}.tmp`);
  const write = () => writeFile(temporary, JSON.stringify(stored, null, 1), { mode: 0o600 });
  await write().catch(async (error: NodeJS.ErrnoException) => {
    ignoreMissing(error);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await write();
  });
  await rename(temporary, file);
}

/** Stored emails, newest first; `to` reads only the files of that address, case-insensitively. */
export async function readMailbox({
  to,
  limit,
}: {
  to?: string;
  limit?: number;
} = {}): Promise<StoredMail[]> {
  const folder = mailboxFolder();
  const prefix = to === undefined ? "" : `${addressPart(to)}-`;
  const names = (await listNames(folder)).filter((name) => name.startsWith(prefix));
  const recent = limit === undefined ? names : await newestNames(folder, names, limit);
  const mails = await Promise.all(recent.map((name) => readMail(path.join(folder, name))));
  return mails
    .filter((mail) => mail !== null)
    .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id));
}

export async function countMailbox(): Promise<number> {
  return (await listNames(mailboxFolder())).length;
}

function mailboxFolder(): string {
  return path.resolve(/* turbopackIgnore: true */ process.cwd(), env().DATA_DIR, "mailbox");
}

const digest = (text: string, length: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
const addressPart = (address: string) => digest(address.trim().toLowerCase(), 16);

async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  return (names ?? []).filter((name) => name.endsWith(".json"));
}

async function newestNames(folder: string, names: string[], limit: number): Promise<string[]> {
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      time: (await stat(path.join(folder, name)).catch(ignoreMissing))?.mtimeMs ?? 0,
    })),
  );
  return dated
    .sort((a, b) => b.time - a.time)
    .slice(0, limit)
    .map(({ name }) => name);
}

async function readMail(file: string): Promise<StoredMail | null> {
  const text = await readFile(file, "utf8").catch(ignoreMissing);
  return text === null ? null : (JSON.parse(text) as StoredMail);
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
