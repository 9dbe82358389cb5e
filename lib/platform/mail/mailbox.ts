import { createHash, randomBytes } from "node:crypto";
import {
  access,
  constants,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
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

/**
 * Creates the folder of the local mailbox, where emails go there. Called at the start of a process that sends emails.
 * @throws Error of one sentence when it cannot be written to
 */
export async function prepareMailbox(): Promise<void> {
  if (env().MAIL_MODE !== "local") return;
  const folder = mailboxFolder();
  try {
    await createFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATA_DIR ${path.dirname(folder)} cannot be written to (${code}): MAIL_MODE=local stores emails there, mount it writable.`,
    );
  }
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
    await createFolder(folder);
    await write();
  });
  // The file's time is the email's, so that a page of the newest can be found without reading all.
  await utimes(temporary, new Date(stored.at), new Date(stored.at));
  await rename(temporary, file);
}

/** A page of the mailbox, from 1, with at most `size` emails. `to` selects the emails of an address in any case. */
export type MailboxQuery = { to?: string; page: number; size: number };

/** The emails of a page, newest first, and the number of all that match. Reads the files of this page only. */
export async function readMailbox({
  to,
  page,
  size,
}: MailboxQuery): Promise<{ mails: StoredMail[]; total: number }> {
  const folder = mailboxFolder();
  const prefix = to === undefined ? "" : `${addressPart(to)}-`;
  const all = await listNames(folder);
  removeStaleTimes(all);
  const names = all.filter((name) => name.startsWith(prefix));
  const onPage = (await newestFirst(folder, names)).slice((page - 1) * size, page * size);
  const mails = await Promise.all(onPage.map((name) => readMail(path.join(folder, name))));
  return { mails: mails.filter((mail) => mail !== null), total: names.length };
}

/** The email that was stored with this idempotency key; null if there is none. */
export async function findMail(idempotencyKey: string): Promise<StoredMail | null> {
  const folder = mailboxFolder();
  const end = `-${digest(idempotencyKey, 32)}.json`;
  const name = (await listNames(folder)).find((candidate) => candidate.endsWith(end));
  return name === undefined ? null : readMail(path.join(folder, name));
}

function mailboxFolder(): string {
  return path.resolve(/* turbopackIgnore: true */ process.cwd(), env().DATA_DIR, "mailbox");
}

const createFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 });

const digest = (text: string, length: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
const addressPart = (address: string) => digest(address.trim().toLowerCase(), 16);

async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  return (names ?? []).filter((name) => name.endsWith(".json"));
}

/** The times of the files that exist, in milliseconds. An email keeps its time, so each file is asked once. */
const times = new Map<string, number>();

/** Deletes the times of files that no longer exist. */
function removeStaleTimes(names: string[]): void {
  const existing = new Set(names);
  for (const name of times.keys()) if (!existing.has(name)) times.delete(name);
}

async function newestFirst(folder: string, names: string[]): Promise<string[]> {
  const unknown = names.filter((name) => !times.has(name));
  await Promise.all(
    unknown.map(async (name) => {
      const file = await stat(path.join(folder, name)).catch(ignoreMissing);
      if (file) times.set(name, file.mtimeMs);
    }),
  );
  const timeOf = (name: string) => times.get(name) ?? 0;
  return names.sort((a, b) => timeOf(b) - timeOf(a) || (a < b ? 1 : -1));
}

async function readMail(file: string): Promise<StoredMail | null> {
  const text = await readFile(file, "utf8").catch(ignoreMissing);
  return text === null ? null : (JSON.parse(text) as StoredMail);
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
